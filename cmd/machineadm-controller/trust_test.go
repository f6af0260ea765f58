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

func trusts() []trust {
	return slices.Concat(secretNames(), otherNames(), hostNames(), planeNames(), labels(), owners())
}

// secretNames are names of Secrets and ConfigMaps.
func secretNames() []trust {
	return []trust{
		{
			what: "Secret of the bootstrap data: `metadata.name` of a MachineBootstrapConfig, also of one that Cluster API " +
				"clones from a template", chosenBy: configs,
			usedBy: "all controllers that find Secrets by name: " + core + ", " + ours,
			rule:   "machineadm refuses reserved names before it creates anything, and does not adopt a Secret of another owner",
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
			rule:   "the same; data that an earlier release stored under a reserved name is not replaced",
			tests: []string{
				"TestReservedNamesAreRefused", "TestARefusedNameIsACondition",
				"TestEarlierDataOfAReservedNameIsLeftAlone",
			},
		},
		{
			what: "request Secret: the name of the data Secret and `-stored`", chosenBy: configs, usedBy: "storages",
			rule: "the suffix is fixed and reserved; the Secret must have the type of request Secrets, and " +
				"the config must control it",
			tests:   []string{"TestStoredConfigurationsHaveReservedNames", "TestStorageOfAStoredObjectIsImmutable"},
			sources: []string{"adapters/kubernetes/storage/requests.go"},
		},
		{
			what: "Secret that the endpoint serves: a hash of the request Secret's UID", chosenBy: "no one",
			usedBy:  "the endpoint",
			rule:    "such names are reserved; the type, the annotation and the signature of the URL must match",
			tests:   []string{"TestUsersSecretIsNotAStoredObject"},
			sources: []string{"adapters/kubernetes/storage/endpoint.go"},
		},
		{
			what:     "Secret of documents: `metadata.name` and kind of a plugin of machineadm's own kinds",
			chosenBy: configs, usedBy: ours,
			rule:  "the suffix is fixed and reserved; the plugin must control the Secret",
			tests: []string{"TestDocumentsHaveTheirOwnNames", "TestStatus"},
			sources: []string{
				"adapters/kubernetes/pluginresources/reconciler.go",
				"adapters/kubernetes/pluginresources/secret.go",
			},
		},
		{
			what: "Secret of documents: `status.secretName` of any plugin", chosenBy: "P", usedBy: ours,
			rule:  "the plugin must control the Secret; reserved names are refused",
			tests: []string{"TestLookupFind", "TestCheckDocuments"},
		},
		{
			what:     "Secrets and ConfigMap of a cluster: `metadata.name` of a Cluster, and a suffix for the purpose",
			chosenBy: clusters,
			usedBy:   core + ", " + ours,
			rule: "the Cluster owns them; they are created once, and only the talosconfig is ever replaced; Talos Secrets " +
				"that another object controls are refused; key pairs of an earlier Cluster with the same name are not used",
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
			rule: "deleted only if the Cluster owns it and it contains a lock, or if it has exactly the form of the kubeadm " +
				"provider's lock; with any other ConfigMap of this name, the machine waits for the user",
			tests: []string{"TestOnlyLocksAreRemoved", "TestForeignLockStallsTheMachine"},
		},
		{
			what: "Secret `<cluster>-kubeconfig`", chosenBy: "control plane providers, users with rights on Secrets",
			usedBy: core + ", " + ours,
			rule: "the controller does not use a kubeconfig that a config, plugin or template owns, or that " +
				"names files or programs",
			tests: []string{
				"TestKubeconfigReaderGet", "TestNoFileIsSentToAServer", "TestKubeconfigReaderReturnsErrorsOfTheAPI",
			},
		},
		{
			what: "Secret of credentials: `spec.credentials.secretName` of an S3BootstrapStorage", chosenBy: configs,
			usedBy: ours + ", which adds a finalizer to it",
			rule:   "used only if it has the label for credentials of storages",
			tests:  []string{"TestOnlyLabelledSecretsAreCredentials"},
		},
		{
			what: "Secret `machineadm-endpoint-key` of the controller's namespace", chosenBy: "no one", usedBy: ours,
			rule:    "the name is reserved",
			tests:   []string{"TestOurNamesAreReserved", "TestEndpointSigner"},
			sources: []string{"adapters/kubernetes/storage/endpointkey.go"},
		},
		{
			what: "Secret of a bootstrap token in the workload cluster: an ID that is derived from names", chosenBy: configs,
			usedBy:  "API servers, " + ours,
			rule:    "the token's secret is random; a token of another owner is neither used nor revoked",
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
			rule: "kinds of Kubernetes and its projects are refused, and so are machineadm's kinds that are not plugins; for " +
				"other kinds, a ClusterRole must grant access; a kind is watched only as long as a config names it",
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
			rule:  "the storage is in the config's namespace; each controller processes only its own kinds",
			tests: []string{"TestObjectsOfAnotherControllerAreLeftAlone", "TestStoredObjectsUseStoragesOfTheirController"},
		},
		{
			what: "object in a bucket: namespace, name of the request Secret and a digest", chosenBy: configs,
			usedBy: ours + ", which deletes it",
			rule:   "only objects whose names begin with the namespace and name of the request Secret are deleted",
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
			rule: "the label only selects the Cluster whose events trigger a reconciliation; the " +
				"Machine determines the cluster",
			tests: []string{"TestTheMachineChoosesTheCluster"},
		},
		{
			what: "the same label of a plugin", chosenBy: configs, usedBy: ours + ", which copies it to the plugin's Secret",
			rule: "the label affects only whether this plugin is paused", tests: []string{"TestStatus"},
		},
		{
			what: "`spec.template.metadata` and other fields of a template of plugins", chosenBy: configs,
			usedBy: "the plugin's controller",
			rule:   "only labels and annotations are copied; the controller sets name, owner, cluster and watch filter",
			tests:  []string{"TestATemplateSetsASpecAlone", "TestInstanceIsTheOwners"},
		},
		{
			what: "annotation `cluster.x-k8s.io/paused`, label `cluster.x-k8s.io/watch-filter`", chosenBy: configs,
			usedBy: ours + ", Cluster API, clusterctl",
			rule: "they pause the object, or select the manager that processes it; the administrator lists the namespaces " +
				"that may use a manager's identity",
			tests: []string{"TestConditions", "TestOtherManagersConfigsAreLeftAlone", "TestPausedDeletesNothing"},
		},
		{
			what: "labels and annotations of clusterctl (`move`, `block-move`, `delete-for-move`)", chosenBy: configs,
			usedBy: "clusterctl",
			rule:   "machineadm copies none of them to a Secret", tests: []string{
				"TestSecretFollowsTheContract",
				"TestNoLabelIsCopied",
			},
		},
		{
			what: "annotations `bootstrap.machineadm.io/places` and `signer` of an S3BootstrapStorage", chosenBy: configs,
			usedBy: ours + ", which deletes objects there",
			rule: "a place must follow the rules for a spec, and only objects of the request Secret are deleted; another " +
				"signer only makes the controller sign the storage's URLs again",
			tests: []string{"TestObjectsAreDeletedWhereTheyWerePut", "TestOnlyOwnObjectsAreDeleted", "TestOptions"},
			sources: []string{
				"adapters/kubernetes/storage/buckets.go", "adapters/kubernetes/storage/reconciler.go",
				"adapters/kubernetes/storage/signers.go",
			},
		},
		{
			what: "annotation `bootstrap.machineadm.io/payload` of the data Secret", chosenBy: "S who writes Secrets",
			usedBy: ours + ", which copies it to `status.payload`, and compares it with the spec for the condition `UpToDate`",
			rule: "at most 4 KiB with the characters of names are read, and only shown: nothing is rendered, replaced or " +
				"deleted because of it; S could change the data as well, so the status is no proof of what the data is",
			tests:   []string{"TestInvalidSummariesAreIgnored", "TestMisleadingSummaryChangesNoData"},
			sources: []string{"adapters/kubernetes/capi", "adapters/kubernetes/controller"},
		},
		{
			what: "machineadm's finalizers and annotations on a Secret", chosenBy: "S who writes Secrets",
			usedBy:  ours + ", which revokes a token, releases a lock and deletes objects",
			rule:    "the token must belong to the config, the lock to the machine, and the objects to the request Secret",
			tests:   []string{"TestTokensConform", "TestDeletedConfigRevokesItsToken", "TestOnlyOwnObjectsAreDeleted"},
			sources: []string{"adapters/kubernetes/controller"},
		},
		{
			what: "annotation `bootstrap.machineadm.io/control-plane-type` of a Cluster", chosenBy: clusters, usedBy: ours,
			rule: "two values are valid; with any other, the machines wait for the user", tests: []string{
				"TestInvalidControlPlaneSetting",
				"TestInvalidControlPlaneTypeIsReported",
			},
		},
		{
			what: "label `cluster.x-k8s.io/control-plane` of a Machine", chosenBy: machines,
			usedBy: ours + ", which gives the machine the cluster's keys",
			rule: "no rule prevents this: users who can write Machines and configs can make a machine write Secrets to files " +
				"([what remains](#what-remains), 3); a worker gets no key",
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
			rule: "the Machine must name the config in `spec.bootstrap.configRef`; published data is maintained only for its " +
				"own machine and cluster",
			tests: []string{"TestAnOwnerNamesItsConfig", "TestDataIsForItsMachine"},
		},
		{
			what: "owner reference of a plugin to a config", chosenBy: configs, usedBy: ours,
			rule:  "the reference is checked by UID; users can also name such a plugin in `spec.pluginRefs`",
			tests: []string{"TestInstanceIsTheOwners", "TestLookupConforms"},
		},
		{
			what: "owner reference of a Secret", chosenBy: "S who writes Secrets", usedBy: ours + ", the garbage collector",
			rule:  "the reference is checked by UID; a Secret of another owner is not adopted",
			tests: []string{"TestOwnerIsRepairedAndNothingIsAdopted", "TestUsersSecretIsNotBootstrapData", "TestLookupFind"},
		},
	}
}

const trustSection = "## Names that others trust\n"

// trustTables writes the section of the threat model.
func trustTables() string {
	var b strings.Builder
	b.WriteString(trustSection + `
Controllers find, adopt and delete objects by names, labels, annotations and owner references. The first table lists
those that a user without permissions for Secrets can influence. The second lists reserved names: machineadm writes no
Secret with such a name for such a user.

` + "`UPDATE=1 go test -run TestReservedNames ./cmd/machineadm-controller`" + ` writes both tables.

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
		t.Fatalf("%s differs from the tables; run UPDATE=1 go test -run TestReservedNames ./cmd/machineadm-controller",
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

// writing matches the creation of Secrets and ConfigMaps, and the calls that write: those of a client, and of the
// functions that patch for several files.
const writing = `corev1\.(Secret|ConfigMap)\{\s*ObjectMeta:|\.AsSecret\(|\bkube\.Patch\(|\.patchStatus\(|` +
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
		// The corpus creates its objects in memory, and package kube writes the objects of its callers.
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "/conformance/") || strings.HasPrefix(path, "cmd/internal/corpus/") ||
			strings.HasPrefix(path, "adapters/kubernetes/internal/kube/") {
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
