package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/reserved"
)

// trust is a name, label, annotation or owner reference that a user without rights on Secrets influences and that a
// controller later reads, adopts or deletes by.
type trust struct {
	what, chosenBy, usedBy, rule string
	tests                        []string
	// sources are the folders or files that write objects with such names, labels or annotations.
	sources []string
}

const (
	configs  = "T"
	machines = "T who writes Machines"
	clusters = "T who writes Clusters"
	core     = "Cluster API, its providers"
	ours     = "machineadm"
)

func trusts() []trust { return slices.Concat(secretNames(), otherNames(), labels(), owners()) }

// secretNames are names of Secrets and ConfigMaps.
func secretNames() []trust {
	return []trust{
		{
			what: "Secret of the bootstrap data: `metadata.name` of a MachineBootstrapConfig, also of one that Cluster API " +
				"clones from a template", chosenBy: configs,
			usedBy: "whoever finds a Secret by its name: " + core + ", " + ours,
			rule: "reserved names are refused before anything is created; a Secret of " +
				"another owner is not adopted",
			tests: []string{
				"TestReservedNamesAreRefused", "TestARefusedNameIsACondition", "TestSchema", "TestPurposesOfClusterAPIAreReserved",
				"TestOurNamesAreReserved",
				"TestGeneratedNamesAreFree", "TestUsersSecretIsNotBootstrapData",
			},
			sources: []string{"adapters/kubernetes/capi/datasecrets.go"},
		},
		{
			what: "Secret of the bootstrap data: `spec.bootstrap.dataSecretName` of a Machine", chosenBy: machines,
			usedBy: core + ", " + ours,
			rule:   "the same, and an earlier release's data under a reserved name is not replaced",
			tests: []string{
				"TestReservedNamesAreRefused", "TestARefusedNameIsACondition",
				"TestEarlierDataOfAReservedNameIsLeftAlone",
			},
		},
		{
			what: "Secret of a stored configuration: the data's name and `-stored`", chosenBy: configs, usedBy: "storages",
			rule:    "the suffix is fixed, data may not have it, and the Secret has to be of the type and of the config",
			tests:   []string{"TestStoredConfigurationsHaveReservedNames", "TestStorageOfAStoredObjectIsImmutable"},
			sources: []string{"adapters/kubernetes/storage/requests.go"},
		},
		{
			what: "Secret that the endpoint serves: a hash of its deposit's UID", chosenBy: "nobody", usedBy: "the endpoint",
			rule:    "data may not have such a name; type, annotation and the address's signature have to fit",
			tests:   []string{"TestUsersSecretIsNotAStoredObject"},
			sources: []string{"adapters/kubernetes/storage/endpoint.go"},
		},
		{
			what: "Secret of documents: `metadata.name` of a plugin of ours, and its kind", chosenBy: configs, usedBy: ours,
			rule:  "the suffix is fixed, data may not have it, and the plugin has to control the Secret",
			tests: []string{"TestDocumentsHaveTheirOwnNames", "TestStatus"},
			sources: []string{
				"adapters/kubernetes/pluginresources/reconciler.go",
				"adapters/kubernetes/pluginresources/secret.go",
			},
		},
		{
			what: "Secret of documents: `status.secretName` of any plugin", chosenBy: "P", usedBy: ours,
			rule:  "the plugin has to control the Secret, and reserved names are refused",
			tests: []string{"TestLookupFind", "TestCheckDocuments"},
		},
		{
			what: "Secrets and ConfigMap of a cluster: `metadata.name` of a Cluster, and a purpose", chosenBy: clusters,
			usedBy: core + ", " + ours,
			rule: "created once, owned by the Cluster, and not replaced but for a talosconfig; Talos's are refused if " +
				"another object controls " +
				"them, and key pairs of an earlier Cluster of that name are not used",
			tests: []string{
				"TestGeneratedSecretMatchesClusterAPI", "TestKeysOfAnEarlierClusterAreNotUsed",
				"TestTalosSecretsBelongToTheCluster", "TestForeignTalosconfigIsNotReplaced",
				"TestLockOfAnotherOwnerIsFoundBeforeTheCacheShowsIt",
			},
			sources: []string{
				"adapters/kubernetes/capi/certificates.go", "adapters/kubernetes/capi/talossecrets.go",
				"adapters/kubernetes/capi/initlock.go",
			},
		},
		{
			what: "ConfigMap `<cluster>-lock`", chosenBy: clusters, usedBy: ours + " and the kubeadm provider, which delete it",
			rule: "deleted if the Cluster owns it and it holds a lock, or it has the kubeadm provider's exact shape; any " +
				"other stalls the machine",
			tests: []string{"TestOnlyLocksAreRemoved", "TestForeignLockStallsTheMachine"},
		},
		{
			what: "Secret `<cluster>-kubeconfig`", chosenBy: "control plane providers, users with rights on Secrets",
			usedBy: core + ", " + ours,
			rule:   "the controller uses none that a config, plugin or template owns, and none that names files or programs",
			tests: []string{
				"TestKubeconfigReaderGet", "TestNoFileIsSentToAServer", "TestKubeconfigReaderReturnsErrorsOfTheAPI",
			},
		},
		{
			what: "Secret of credentials: `spec.credentials.secretName` of an S3BootstrapStorage", chosenBy: configs,
			usedBy: ours + ", which puts a finalizer on it",
			rule:   "used only if its author labelled it for this", tests: []string{"TestOnlyLabelledSecretsAreCredentials"},
		},
		{
			what: "Secret `machineadm-endpoint-key` of the controller's namespace", chosenBy: "nobody", usedBy: ours,
			rule:    "the name is reserved",
			tests:   []string{"TestOurNamesAreReserved", "TestEndpointSigner"},
			sources: []string{"adapters/kubernetes/storage/endpointkey.go"},
		},
		{
			what: "Secret of a bootstrap token in the workload cluster: an ID made of names", chosenBy: configs,
			usedBy:  "API servers, " + ours,
			rule:    "the secret is random; a token of another owner is passed over and never revoked",
			tests:   []string{"TestTokenIDsDoNotMixUpNames", "TestUsedTokenIDIsSkipped", "TestTokensConform"},
			sources: []string{"adapters/kubernetes/capi/tokens.go"},
		},
	}
}

// otherNames are names of what is no Secret.
func otherNames() []trust {
	return []trust{
		{
			what: "kind in `spec.pluginRefs` and `spec.pluginTemplateRefs`", chosenBy: configs,
			usedBy: ours + ", which watches and creates resources of it",
			rule: "kinds of Kubernetes, of its projects and ours that are no plugins are refused; a ClusterRole has to allow " +
				"others; a kind that no config names is not watched any more",
			tests: []string{
				"TestKindsThatAreNotPlugins", "TestWhatTheControllerReadsIsNotAPlugin", "TestIsPlugin",
				"TestPluginWatchesEnd", "TestPluginWatchesAtOnce",
			},
		},
		{
			what: "resource created from a template: the config's name and a hash", chosenBy: configs, usedBy: ours,
			rule: "used only if the config controls it", tests: []string{
				"TestInstanceNames",
				"TestInstanceIsTheOwners", "TestLookupConforms",
			},
			sources: []string{
				"adapters/kubernetes/pluginresources/instance.go",
				"adapters/kubernetes/pluginresources/permission.go",
			},
		},
		{
			what: "storage in `spec.storageRef`", chosenBy: configs, usedBy: "storages' controllers",
			rule:  "one of the config's namespace; each controller serves its own kind",
			tests: []string{"TestObjectsOfAnotherControllerAreLeftAlone", "TestStoredObjectsUseStoragesOfTheirController"},
		},
		{
			what: "object in a bucket: namespace, name of the data and a digest", chosenBy: configs,
			usedBy: ours + ", which deletes it",
			rule:   "the names of a deposit's objects begin with its namespace and name",
			tests:  []string{"TestOnlyOwnObjectsAreDeleted"},
		},
		{
			what: "machine in the URL of a report", chosenBy: "O", usedBy: ours + ", which writes the status of its config",
			rule: "the machine's own credential", tests: []string{
				"TestReportsThatAreRefused",
				"TestObjectOfTheSameNameGetsNoReport",
			},
			sources: []string{"adapters/kubernetes/capi/reports.go"},
		},
	}
}

// labels are labels and annotations.
func labels() []trust {
	return []trust{
		{
			what: "label `cluster.x-k8s.io/cluster-name` of a config", chosenBy: configs, usedBy: ours,
			rule:  "chooses by which Cluster's events it is woken, and nothing else: the Machine names the cluster",
			tests: []string{"TestTheMachineChoosesTheCluster"},
		},
		{
			what: "the same label of a plugin", chosenBy: configs, usedBy: ours + ", which copies it to the plugin's Secret",
			rule: "pauses that plugin alone", tests: []string{"TestStatus"},
		},
		{
			what: "`spec.template.metadata` and other fields of a template of plugins", chosenBy: configs,
			usedBy: "the plugin's controller",
			rule:   "labels and annotations alone are copied; name, owner, cluster and watch filter are the controller's",
			tests:  []string{"TestATemplateSetsASpecAlone", "TestInstanceIsTheOwners"},
		},
		{
			what: "annotation `cluster.x-k8s.io/paused`, label `cluster.x-k8s.io/watch-filter`", chosenBy: configs,
			usedBy: ours + ", Cluster API, clusterctl",
			rule: "stop work on the object itself, or choose which of several managers does it; the namespaces for a " +
				"manager's identity are " +
				"listed",
			tests: []string{"TestConditions", "TestOtherManagersConfigsAreLeftAlone", "TestPausedDeletesNothing"},
		},
		{
			what: "labels and annotations of clusterctl (`move`, `block-move`, `delete-for-move`)", chosenBy: configs,
			usedBy: "clusterctl",
			rule:   "none is copied to a Secret", tests: []string{"TestSecretFollowsTheContract", "TestNoLabelIsCopied"},
		},
		{
			what: "annotations `bootstrap.machineadm.io/places` and `signer` of an S3BootstrapStorage", chosenBy: configs,
			usedBy: ours + ", which deletes objects there",
			rule: "a place is held to the rules of a spec, and only objects of the deposit are deleted; another " +
				"signer has the storage's own " +
				"addresses signed anew",
			tests: []string{"TestObjectsAreDeletedWhereTheyWerePut", "TestOnlyOwnObjectsAreDeleted", "TestOptions"},
			sources: []string{
				"adapters/kubernetes/storage/buckets.go", "adapters/kubernetes/storage/reconciler.go",
				"adapters/kubernetes/storage/signers.go",
			},
		},
		{
			what: "finalizers and annotations of ours on a Secret", chosenBy: "S who writes Secrets",
			usedBy:  ours + ", which revokes a token, frees a lock and deletes objects",
			rule:    "the token has to be the config's, the lock the machine's, and objects the deposit's own",
			tests:   []string{"TestTokensConform", "TestDeletedConfigRevokesItsToken", "TestOnlyOwnObjectsAreDeleted"},
			sources: []string{"adapters/kubernetes/controller"},
		},
		{
			what: "annotation `bootstrap.machineadm.io/control-plane-type` of a Cluster", chosenBy: clusters, usedBy: ours,
			rule: "one of two words; another stalls the machines", tests: []string{
				"TestInvalidControlPlaneSetting",
				"TestInvalidControlPlaneTypeIsReported",
			},
		},
		{
			what: "label `cluster.x-k8s.io/control-plane` of a Machine", chosenBy: machines,
			usedBy: ours + ", which gives the machine the cluster's keys",
			rule: "none: who writes Machines and configs can have a machine write Secrets down ([what " +
				"remains](#what-remains), 3); a worker gets no key",
			tests: []string{"TestWorkerGetsNothingOfTheControlPlane"},
		},
	}
}

// owners are owner references.
func owners() []trust {
	return []trust{
		{
			what: "owner reference of a config to a Machine or a MachinePool", chosenBy: configs,
			usedBy: ours + ", which gives the config the machine's keys and lock",
			rule: "the Machine has to name the config in `spec.bootstrap.configRef`; published data is maintained " +
				"for its own machine and " +
				"cluster alone",
			tests: []string{"TestAnOwnerNamesItsConfig", "TestDataIsForItsMachine"},
		},
		{
			what: "owner reference of a plugin to a config", chosenBy: configs, usedBy: ours,
			rule:  "by UID; such a plugin could be named in `spec.pluginRefs`, too",
			tests: []string{"TestInstanceIsTheOwners", "TestLookupConforms"},
		},
		{
			what: "owner reference of a Secret", chosenBy: "S who writes Secrets", usedBy: ours + ", the garbage collector",
			rule:  "by UID; another owner's is not adopted",
			tests: []string{"TestOwnerIsRepairedAndNothingIsAdopted", "TestUsersSecretIsNotBootstrapData", "TestLookupFind"},
		},
	}
}

const trustSection = "## Names that others trust\n"

// trustTables writes the section of the threat model.
func trustTables() string {
	var b strings.Builder
	b.WriteString(trustSection + `
Controllers find, adopt and delete objects by names, labels, annotations and owner references. The first
table lists those that a user without rights on Secrets influences. The second lists the names that no Secret ` +
		`written for such a user gets. ` + "`UPDATE=1 go test -run NamesThatOthersTrust ./cmd/machineadm-controller`" + `
writes both.

| what | chosen by | used by | rule | test |
|---|---|---|---|---|
`)
	for _, t := range trusts() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | `%s` |\n", t.what, t.chosenBy, t.usedBy, t.rule, strings.Join(t.tests, "`, `"))
	}
	b.WriteString("\n| reserved name | what for | read by |\n|---|---|---|\n")
	for _, n := range reserved.Names() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", n, n.Use, n.Reader)
	}
	return b.String() + "\n"
}

// TestReservedNames holds the threat model against the tables here and in domain/reserved.
func TestReservedNames(t *testing.T) {
	const path, next = "../../docs/threat-model.md", "## Outgoing requests of the controller\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), trustSection)
	_, after, found := strings.Cut(rest, next)
	if !found {
		before, after, found = strings.Cut(string(text), next)
	}
	if !found {
		t.Fatalf("%s has no %q", path, next)
	}
	want := before + trustTables() + next + after
	if want == string(text) {
		return
	}
	if os.Getenv("UPDATE") == "" || os.Getenv("CI") == "true" {
		t.Fatalf("%s is not what the tables say; run UPDATE=1 go test -run NamesThatOthersTrust ./cmd/machineadm-controller",
			path)
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEachTrustHasATest holds that a row of the table names tests. That they exist is TestDocsNameTests's to find out.
func TestEachTrustHasATest(t *testing.T) {
	for _, row := range trusts() {
		if len(row.tests) == 0 || row.rule == "" || row.chosenBy == "" || row.usedBy == "" {
			t.Errorf("%s: the row is incomplete", row.what)
		}
	}
}

// writing matches the creation of Secrets and ConfigMaps, and the calls of a client that write.
const writing = `corev1\.(Secret|ConfigMap)\{\s*ObjectMeta:|\.AsSecret\(|` +
	`\b([cC]lient|c|writer)(\.Status\(\))?\.(Create|Update|Patch|Apply|Delete|DeleteAllOf)\(`

// TestEachNameIsInTheTable holds that each file that writes objects into a cluster is in the table, or its folder.
func TestEachNameIsInTheTable(t *testing.T) {
	known, creating := map[string]bool{}, regexp.MustCompile(writing)
	for _, row := range trusts() {
		for _, s := range row.sources {
			known[s] = true
		}
	}
	out, err := exec.Command("git", "-C", "../..", "ls-files", "adapters", "app", "cmd").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for path := range strings.FieldsSeq(string(out)) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/conformance/") {
			continue
		}
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		if folder := path[:strings.LastIndex(path, "/")]; creating.Match(text) {
			seen[folder], seen[path] = true, true
			if !known[folder] && !known[path] {
				t.Errorf("%s writes objects; add their names, and what it reads of them, to the table", path)
			}
		}
	}
	for source := range known {
		if !seen[source] {
			t.Errorf("%s writes no objects; remove it from the table", source)
		}
	}
}
