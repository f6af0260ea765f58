package api_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// TestMain sets a logger, without which controller-runtime logs a warning.
func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// server starts an API server that knows our kinds.
func server(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	for _, dir := range []string{"config/crd/bases", "config/hosts/crd/bases", "config/control-plane/crd/bases"} {
		definitions, err := controlplane.ReadManifests(filepath.Join(programs.Root(), dir))
		if err != nil || len(definitions) == 0 {
			t.Fatalf("definitions: %v", err)
		}
		if err := c.Apply(t.Context(), definitions...); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// config returns a config with the spec, whose operating system is filled in.
func config(t *testing.T, spec string) *unstructured.Unstructured {
	t.Helper()
	body := map[string]any{}
	if err := yaml.Unmarshal([]byte(spec), &body); err != nil {
		t.Fatal(err)
	}
	if body["os"] == nil {
		body["os"] = map[string]any{"distribution": "debian"}
	}
	o := &unstructured.Unstructured{Object: map[string]any{"spec": body}}
	o.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind))
	o.SetNamespace("default")
	o.SetName("config")
	return o
}

func TestSchema(t *testing.T) {
	c := server(t)
	if err := c.Apply(t.Context(), config(t, `{}`)); err != nil {
		t.Fatal(err)
	}
	t.Run("refused", func(t *testing.T) { refused(t, c) })
	t.Run("accepted", func(t *testing.T) { accepted(t, c) })
	t.Run("scenarios", func(t *testing.T) { scenarios(t, c) })
	t.Run("names", func(t *testing.T) { names(t, c) })
	t.Run("storages", func(t *testing.T) { storages(t, c) })
	t.Run("earlier names", func(t *testing.T) { earlierNames(t, c) })
}

// names holds that the schema refuses the one name by which data would be a kubeconfig.
func names(t *testing.T, c *controlplane.ControlPlane) {
	for name, free := range map[string]bool{"c1-kubeconfig": false, "kubeconfig": true, "c1-kubeconfig-2": true} {
		o := config(t, `{}`)
		o.SetName(name)
		err := c.Client.Create(t.Context(), o)
		if (err == nil) != free || err != nil && !strings.Contains(err.Error(), "metadata.name must not end in -kubeconfig") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// refused are objects that the schema itself refuses, before a controller sees them.
func refused(t *testing.T, c *controlplane.ControlPlane) {
	cases := map[string]struct{ reason, spec, want string }{
		"no system": {"the operating system is required", `os: {}`, "spec.os.distribution: Required value"},
		"profile":   {"a profile has a place", `os: {distribution: a, profileFrom: {}}`, "spec.os.profileFrom.configMap"},
		"profile's key": {
			"a profile is a key of a ConfigMap", `os: {distribution: a, profileFrom: {configMap: {name: a}}}`,
			"spec.os.profileFrom.configMap.key",
		},
		"format": {
			"a format's name is a word; which there are is a condition", `format: Cloud Init`,
			"spec.format: Invalid value",
		},
		"unknown field": {"nothing unknown is kept", `machine: {file: []}`, "unknown field"},
		"two contents": {
			"a file has one content", `machine: {files: [{path: /a, content: a, contentFrom: {secret: {name: a, key: b}}}]}`,
			"at most one of the fields in [content contentFrom parts] may be set",
		},
		"two sources": {
			"a source is one object",
			`machine: {files: [{path: /a, contentFrom: {secret: {name: a, key: b}, configMap: {name: a, key: b}}}]}`,
			"exactly one of the fields in [secret configMap] must be set",
		},
		"same path": {"a path is unique", `machine: {files: [{path: /a}, {path: /a}]}`, "Duplicate value"},
		"relative":  {"paths are absolute", `machine: {files: [{path: a}]}`, "spec.machine.files[0].path"},
		"mode":      {"permissions are octal", `machine: {files: [{path: /a, permissions: "0888"}]}`, "permissions"},
		"part": {
			"a part is one thing", `machine: {files: [{path: /a, parts: [{}]}]}`,
			"exactly one of the fields in [text textFrom fact metadata]",
		},
		"fact": {
			"facts are an enumeration", `node: {nameParts: [{fact: mood}]}`,
			"spec.node.nameParts[0].fact: Unsupported value",
		},
		"two names": {
			"a node has one name", `node: {name: a, nameParts: [{fact: hostname}]}`,
			"at most one of the fields in [name nameParts]",
		},
		"etcd": {
			"etcd is local or external", `controlPlane: {etcd: {local: {}, external: {endpoints: [https://a]}}}`,
			"exactly one of the fields in [local external]",
		},
		"swap": {
			"sizeMiB is required with path", `machine: {swap: [{path: /swap}]}`,
			"sizeMiB is required with path and not allowed with device",
		},
		"auth": {
			"a password has a user",
			`machine: {containerd: {registries: [{host: a, auth: {password: {secret: {name: a, key: b}}}}]}}`,
			"username and password require each other",
		},
		"host": {
			"a random name is none that is given", `machine: {host: {hostname: a, randomHostname: true}}`,
			"hostname and randomHostname exclude each other",
		},
		"join": {
			"an account has a password", `machine: {domainJoin: {domain: a.example, username: b}}`,
			"exactly one of the fields in [passwordFrom provisioningDataFrom]",
		},
		"joiner": {
			"a password has an account", `machine: {domainJoin: {passwordFrom: {secret: {name: a, key: b}}}}`,
			"set domain, username and passwordFrom",
		},
		"blob": {
			"the data name the domain",
			`machine: {domainJoin: {domain: a.example, provisioningDataFrom: {secret: {name: a, key: b}}}}`,
			"domain, organizationalUnit, username",
		},
		"compression": {
			"compression is a word", `delivery: {compression: zip}`,
			"spec.delivery.compression: Unsupported value",
		},
		"encoding": {
			"an encoding is a word", `delivery: {encoding: hex}`,
			"spec.delivery.encoding: Unsupported value",
		},
		"payload": {"a size is a number", `delivery: {maxPayloadSize: much}`, "spec.delivery.maxPayloadSize"},
		"exponent": {
			"each digit costs memory", `delivery: {maxPayloadSize: "1e2000000000"}`,
			"spec.delivery.maxPayloadSize",
		},
		"half exponent": {"a quantity has none", `delivery: {maxPayloadSize: "1e1.5"}`, "spec.delivery.maxPayloadSize"},
		"delivery":      {"a mode is a word", `delivery: {mode: Manual}`, "spec.delivery.mode: Unsupported value"},
		"agent": {
			"an agent is asked for", `delivery: {agent: {path: /opt/machineadm}}`,
			"agent requires mode Agent",
		},
		"endpoint": {"credentials travel encrypted", `reporting: {url: "http://a.example"}`, "spec.reporting.url"},
		"a query": {
			"an address of reports is made of it", `reporting: {url: "https://a.example?b"}`,
			"spec.reporting.url",
		},
		"authorities": {
			"they vouch for something", `reporting: {certificateAuthorities: x}`,
			"certificateAuthorities requires url",
		},
		"deadline": {
			"a deadline is within a week", `reporting: {deadlineSeconds: 604801}`,
			"spec.reporting.deadlineSeconds",
		},
		"two agents": {
			"the endpoint knows its digest",
			`delivery: {mode: Agent, agent: {source: Endpoint, fetch: {url: "https://a", sha256: "` + strings.Repeat("0", 64) +
				`"}}}`, "fetch is required with source Fetch",
		},
		"agent's way": {
			"what is fetched is somewhere", `delivery: {mode: Agent, agent: {source: Fetch}}`,
			"fetch is required with source Fetch",
		},
		"no fetch": {
			"an image's agent is not fetched",
			`delivery: {mode: Agent, agent: {fetch: {url: "https://a", sha256: "` + strings.Repeat("0", 64) + `"}}}`,
			"fetch is required with source Fetch",
		},
		"no version": {
			"a URL is complete",
			`delivery: {mode: Agent, agent: {source: Fetch, fetch: {url: "https://a/{version}", sha256: "` + strings.Repeat("0",
				64) + `"}}}`, "version is required: url contains",
		},
		"unpinned": {
			"no agent runs unverified",
			`delivery: {mode: Agent, agent: {source: Fetch, fetch: {url: "https://a"}}}`,
			"exactly one of the fields in [sha256 release]",
		},
		"a part": {
			"a part is one text", `delivery: {parts: [{name: a, contentType: text/x-shellscript}]}`,
			"exactly one of the fields in [text textFrom]",
		},
		"same part": {
			"a part is unique",
			`delivery: {parts: [{name: a, contentType: text/x-shellscript, text: a}, {name: a, contentType: ` +
				`text/x-shellscript, text: a}]}`, "Duplicate value",
		},
		"part's name": {
			"a part is a file", `delivery: {parts: [{name: ../a, contentType: text/x-shellscript, text: a}]}`,
			"spec.delivery.parts[0].name",
		},
		"part's type": {
			"a part has a handler", `delivery: {parts: [{name: a, contentType: text/cloud-config, text: a}]}`,
			"Unsupported value",
		},
		"digest": {
			"nothing unverified runs", `machine: {kubernetes: {artifacts: [{name: a, url: "https://a"}]}}`,
			"exactly one of the fields in [sha256 sha512]",
		},
		"plugin": {
			"a plugin has a group", `pluginRefs: [{kind: A, name: a}]`,
			"spec.pluginRefs[0].apiGroup: Required value",
		},
		"abroad": {
			"a plugin is of the same namespace",
			`pluginRefs: [{apiGroup: a.example, kind: A, name: a, namespace: b}]`, "unknown field",
		},
		"same plugin": {
			"a plugin is unique",
			`pluginRefs: [{apiGroup: a.example, kind: A, name: a}, {apiGroup: a.example, kind: A, name: a}]`, "Duplicate value",
		},
		"template": {
			"the kind of a template determines that of the plugin",
			`pluginTemplateRefs: [{apiGroup: a.example, kind: A, name: a}]`, "must end in Template",
		},
		"storage": {
			"a storage has a group", `storageRef: {kind: A, name: a}`,
			"spec.storageRef.apiGroup: Required value",
		},
		"far away": {
			"a storage is of the same namespace",
			`storageRef: {apiGroup: a.example, kind: A, name: a, namespace: b}`, "unknown field",
		},
		"native secrecy": {
			"an agent decrypts", `delivery: {encryption: {provider: kms-v2}}`,
			"encryption requires mode Agent",
		},
		"no passphrase": {
			"a file has one",
			`delivery: {mode: Agent, encryption: {provider: file, passphraseURI: "file:///p"}}`,
			"passphraseSecretRef is required with the providers file and remote",
		},
		"no place": {
			"a machine finds it",
			`delivery: {mode: Agent, encryption: {provider: remote, passphraseSecretRef: {name: a, key: b}}}`,
			"passphraseURI is required with the providers file and remote",
		},
		"KMS's phrase": {
			"a service makes its own",
			`delivery: {mode: Agent, encryption: {provider: kms-v2, passphraseSecretRef: {name: a, key: b}}}`,
			"passphraseSecretRef is required with the providers",
		},
		"file's key": {
			"a file has no key",
			`delivery: {mode: Agent, encryption: {provider: file, key: a, passphraseURI: "file:///p", ` +
				`passphraseSecretRef: {name: a, key: b}}}`,
			"key is not allowed with the providers file and remote",
		},
		"few rounds": {
			"they are guessed", `delivery: {mode: Agent, encryption: {provider: kms-v2, iterations: 49999}}`,
			"spec.delivery.encryption.iterations",
		},
		"provider's path": {
			"it is part of a file's name", `delivery: {mode: Agent, encryption: {provider: ../a}}`,
			"spec.delivery.encryption.provider",
		},
		"native template": {
			"a template is for an agent", `templateRef: {kind: ConfigMap, name: a}`,
			"templateRef requires delivery.mode Agent",
		},
		"template's kind": {
			"text comes from two kinds", `{delivery: {mode: Agent}, templateRef: {kind: Pod, name: a}}`,
			"spec.templateRef.kind: Unsupported value",
		},
		"a fetch": {
			"a way to fetch is a word", `delivery: {fetch: Blindly}`,
			"spec.delivery.fetch: Unsupported value",
		},
		"trusted label": {
			"Cluster API finds the Secrets of a cluster by it",
			`delivery: {secretMetadata: {labels: {cluster.x-k8s.io/cluster-name: other}}}`,
			"controllers trust keys of cluster.x-k8s.io",
		},
		"trusted annotation": {
			"the controller reads it",
			`delivery: {secretMetadata: {annotations: {bootstrap.machineadm.io/machine: other}}}`,
			"controllers trust keys of cluster.x-k8s.io",
		},
		"long label": {
			"the API server would refuse the data Secret",
			`delivery: {secretMetadata: {labels: {a: ` + strings.Repeat("a", 64) + `}}}`, "values at most 63",
		},
		"token in clear text": {
			"tokens are not written into specs",
			`controlPlane: {bootstrapTokens: [{token: abcdef.0123456789abcdef, tokenFrom: {secret: {name: a, key: b}}}]}`,
			"unknown field",
		},
		"token without a Secret": {
			"the token is required", `controlPlane: {bootstrapTokens: [{description: a}]}`,
			"spec.controlPlane.bootstrapTokens[0].tokenFrom: Required value",
		},
		"token without authentication": {
			"kubeadm refuses it",
			`controlPlane: {bootstrapTokens: [{usages: [signing], tokenFrom: {secret: {name: a, key: b}}}]}`,
			"usages must contain authentication",
		},
		"token of operators": {
			"only groups of bootstrappers are allowed",
			`controlPlane: {bootstrapTokens: [{groups: ["system:masters"], tokenFrom: {secret: {name: a, key: b}}}]}`,
			"spec.controlPlane.bootstrapTokens[0].groups[0]",
		},
		"secrets": {
			"keys are not written into specs",
			`controlPlane: {apiServer: {encryptionAtRest: {content: key}}}`, "unknown field",
		},

		"pins": {"plugins are the agent's", `delivery: {plugins: [{name: machineadm-timesync-plugin-ptp, sha256: "` +
			strings.Repeat("0", 64) + `"}]}`, "plugins requires mode Agent"},
		"no plugin": {
			"its name contains its purpose",
			`delivery: {mode: Agent, plugins: [{name: machineadm-timesync-plugin-, sha256: "` + strings.Repeat("0", 64) + `"}]}`,
			"spec.delivery.plugins[0].name",
		},
		"path": {
			"plugins are in their directories",
			`delivery: {mode: Agent, plugins: [{name: ../machineadm-timesync-plugin-x, sha256: "` + strings.Repeat("0", 64) +
				`"}]}`, "spec.delivery.plugins[0].name",
		},
		"no digest": {
			"a pin is a digest",
			`delivery: {mode: Agent, plugins: [{name: machineadm-timesync-plugin-ptp, sha256: latest}]}`,
			"spec.delivery.plugins[0].sha256",
		},
		"two digests": {
			"a plugin has one",
			`delivery: {mode: Agent, plugins: [{name: machineadm-timesync-plugin-ptp, sha256: "` + strings.Repeat("0", 64) +
				`"}, {name: machineadm-timesync-plugin-ptp, sha256: "` + strings.Repeat("1", 64) + `"}]}`,
			"spec.delivery.plugins[1]: Duplicate value",
		},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			err := c.Client.Create(t.Context(), unnamed(config(t, k.spec)), client.DryRunAll, client.FieldValidation("Strict"))
			if err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("%s: got %v, want %q", k.reason, err, k.want)
			}
		})
	}
}
