package convert_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

// TestSecretsAreNotPublic checks the values that all users of a machine can read.
func TestSecretsAreNotPublic(t *testing.T) {
	const part = `[{fact: zone}, {textFrom: {secret: {name: s, key: k}}}]`
	for at, spec := range map[string]string{
		"spec.node.nameParts":                  `node: {nameParts: ` + part + `}`,
		"spec.node.labelParts[0].parts":        `node: {labelParts: [{key: a, parts: ` + part + `}]}`,
		"spec.node.kubelet.extraArgs[0].parts": `node: {kubelet: {extraArgs: [{name: a, parts: ` + part + `}]}}`,
		"spec.node.advertiseAddressParts":      `node: {advertiseAddressParts: ` + part + `}`,
	} {
		d, err := convert.Config(t.Context(), config(t, spec), convert.Names{}, store{"Secret/s/k": "secret"})
		if err != nil {
			t.Fatal(err)
		}
		want := "error: " + at + "[1].textFrom.secret: every user of the machine can read this value, so it must not " +
			"contain a Secret; use a ConfigMap, or a file with restricted permissions"
		if got := d.Findings.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", at, got)
		}
	}
}

// TestLongValues checks that findings do not quote a text with the size of a file.
func TestLongValues(t *testing.T) {
	const part = `[{fact: zone}, {textFrom: {configMap: {name: c, key: k}}}]`
	for at, spec := range map[string]string{
		"spec.node.nameParts":                  `node: {nameParts: ` + part + `}`,
		"spec.node.labelParts[0].parts":        `node: {labelParts: [{key: a, parts: ` + part + `}]}`,
		"spec.node.kubelet.extraArgs[0].parts": `node: {kubelet: {extraArgs: [{name: a, parts: ` + part + `}]}}`,
		"spec.node.advertiseAddressParts":      `node: {advertiseAddressParts: ` + part + `}`,
	} {
		long := store{"ConfigMap/c/k": strings.Repeat("a", 4097)}
		d, err := convert.Config(t.Context(), config(t, spec), convert.Names{}, long)
		want := "error: " + at + ": the texts have 4097 bytes together; at most 4096 are allowed; shorten them"
		if err != nil || d.Findings.String() != want {
			t.Errorf("%s: %v, %s", at, err, d.Findings)
		}
	}
}

// TestNames checks the facts that the conversion resolves, and the paths of metadata.
func TestNames(t *testing.T) {
	cases := map[string]struct {
		reason, part string
		names        convert.Names
		want, error  string
	}{
		"machine": {"", "fact: machineName", convert.Names{Machine: "m-1"}, "m-1", ""},
		"cluster": {"", "fact: clusterName", convert.Names{Cluster: "c"}, "c", ""},
		"version": {
			"its form is always the same", "fact: controlPlaneVersion",
			convert.Names{ControlPlaneVersion: "1.36.3+vendor.1"},
			"v1.36.3", "",
		},
		"unknown version": {
			"a managed control plane has no Machines", "fact: controlPlaneVersion",
			convert.Names{},
			"",
			"error: spec.node.nameParts[0].fact: the version of the control plane is not known, because it has no Machines " +
				"with a version; write the version",
		},
		"hostile version": {
			"the version becomes part of commands", "fact: controlPlaneVersion",
			convert.Names{ControlPlaneVersion: "v1.36.3;reboot"},
			"",
			"error: spec.node.nameParts[0].fact: the version of the control plane is not known, because it has no Machines " +
				"with a version; write the version",
		},
		"pool": {
			"its machines boot with the same data", "fact: machineName",
			convert.Names{Cluster: "c"},
			"",
			"error: spec.node.nameParts[0].fact: the machines of a pool boot with the same data, so they have no name of a " +
				"Machine; use the fact hostname",
		},
		"metadata": {"", "metadata: network.mac_1", convert.Names{}, "[metadata.network.mac_1]", ""},
		"path": {
			"a path becomes part of a command", "metadata: a;reboot",
			convert.Names{},
			"",
			`error: spec.node.nameParts[0].metadata: "a;reboot" is not a path; write keys with letters, digits and ` +
				"underscores, with dots in between",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := convert.Config(t.Context(), config(t, `node: {nameParts: [{`+c.part+`}]}`), c.names, store{})
			if err != nil || d.Findings.String() != c.error {
				t.Fatalf("%s: %v, findings %s, want %s", c.reason, err, d.Findings, c.error)
			}
			if c.error != "" {
				return
			}
			n, _, _ := document.First[node.NodeConfig](d.Documents)
			got := n.Registration.Name.Resolve(func(f document.Fact) string { return "[" + string(f) + "]" })
			if string(got) != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
