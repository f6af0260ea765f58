package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

// TestMistakesAreSilent reads malformed manifests and configurations with a secret at the place of the mistake. Errors
// must not contain it: CI systems log them.
func TestMistakesAreSilent(t *testing.T) {
	const c = canary.Mark
	config := "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: a}\nspec:\n " +
		" os: {distribution: debian}\n"
	cluster := "---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a}\nspec:\n  clusterNetwork: "
	plain := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n  path: /a\n  content: "
	passphrase := filepath.Join(t.TempDir(), "passphrase")
	if err := os.WriteFile(passphrase, []byte("correct horse battery"), 0o600); err != nil {
		t.Fatal(err)
	}
	validate, inspect := []string{"validate", "-f", "-", "--kubernetes-version", "v1.36.3"}, []string{"inspect", "-f", "-"}
	encrypt := []string{
		"encrypt", "-f", "-", "--machine", "a/b", "--provider", "file", "--passphrase-file", passphrase,
		"--passphrase-uri", "file:///a",
	}
	cases := map[string]struct {
		args   []string
		in     string
		reason string
	}{
		"alias": {
			validate, "kind: Secret\nstringData: {password: *" + c + "}\n",
			"the library names the anchor",
		},
		"unclosed": {validate, "kind: Secret\nstringData: {password: [" + c + "\n", ""},
		"type by tag": {
			validate, "kind: Secret\nstringData: {password: !!int " + c + "}\n",
			"the library quotes the value",
		},
		"no object": {validate, c + "\n", ""},
		"list":      {validate, "apiVersion: v1\nkind: List\nitems: " + c + "\n", ""},
		"cluster":   {validate, config + cluster + c + "\n", ""},
		"unclosed in render": {
			[]string{"render", "-f", "-", "--kubernetes-version", "v1.36.3"},
			config + "  machine: {" + c + "\n", "",
		},
		"alias to encrypt":   {encrypt, plain + "*" + c + "\n", ""},
		"shape to encrypt":   {encrypt, plain + "[" + c + "]\n", ""},
		"alias to inspect":   {inspect, plain + "*" + c + "\n", ""},
		"version to inspect": {inspect, "apiVersion: machineadm.io/" + c + "\nkind: File\n", ""},
		"base64 to inspect":  {inspect, plain + "{base64: '%" + c + "'}\n", ""},
		"rounds to inspect": {inspect, "apiVersion: machineadm.io/v1alpha1\nkind: EncryptedConfig\nspec: {iterations: " +
			c + "}\n", ""},
		"alias to decrypt": {[]string{"decrypt", "-f", "-", "--passphrase-file", passphrase}, plain + "*" + c + "\n", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			if code := watched(tc.args, strings.NewReader(tc.in), &out, &errs); code == 0 || code == exitSecret || code == 2 {
				t.Errorf("%s: exit code %d\n%s", tc.reason, code, errs.String())
			}
		})
	}
}

// TestNumbersAreSilent checks that findings about a config or a plugin do not contain the digits of a password without
// quotes.
func TestNumbersAreSilent(t *testing.T) {
	const digits = "70707070707"
	config := "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: a}\nspec:\n " +
		" os: {distribution: debian}\n"
	plugin := "  pluginRefs:\n  - {apiGroup: bootstrap.machineadm.io, kind: ContainerdConfig, name: b}\n---\n" +
		"apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: ContainerdConfig\nmetadata: {name: b}\nspec: {sandboxImage: " +
		digits + "}\n"
	for name, in := range map[string]string{"config": config + "  machine: {files: [{path: /a, content: " + digits +
		"}]}\n", "plugin": config + plugin} {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			code := run([]string{"validate", "-f", "-", "--kubernetes-version", "v1.36.3", "-o", "json"},
				strings.NewReader(in), &out, &errs)
			printed := out.String() + errs.String()
			if code == 0 || !strings.Contains(printed, "expected a string, got a number") || strings.Contains(printed, digits) {
				t.Errorf("exit code %d\n%s", code, printed)
			}
		})
	}
}

// TestTypesAreNamed checks that a value of another type than its field is reported with the user's path, without words
// of Go, and with the form that the field has.
func TestTypesAreNamed(t *testing.T) {
	for spec, want := range map[string]string{
		`machine: {users: [{name: a, groups: "sudo, adm"}]}`: "spec.machine.users[0].groups: expected a list, " +
			"got a string; write a list, such as [first, second]",
		`node: {kubelet: {extraArgs: {v: "4"}}}`: "spec.node.kubelet.extraArgs: expected a list, got an object; write " +
			"a list of objects, such as [{name: …}]",
		"node: {labels: [a]}": "spec.node.labels: expected an object, got a list; write keys with their values, such as " +
			"{key: value}",
		`node: {bindPort: "6443"}`: "spec.node.bindPort: expected a number, got a string; write one number, " +
			"without quotes",
		`node: {imagePullSerial: "true"}`: "expected a boolean, got a string; write true or false, without quotes",
		"node: {name: [a]}":               "spec.node.name: expected a string, got a list; write one text",
		"machine: {disks: 5}": "spec.machine.disks: expected a list, got a number; write a list of objects, such as " +
			"[{device: …}]",
		"machine: {mounts: [[a, b]]}": "spec.machine.mounts[0]: expected an object, got a list; write an object, such as " +
			"{source: …}",
		"machine: {sysctls: {vm.swappiness: 1}}": "spec.machine.sysctls.vm.swappiness: expected a string, got a number; " +
			"put the value in quotes",
		"machine: {preCommands: ls}": "spec.machine.preCommands: expected a list, got a string",
		"machine: []":                "spec.machine: expected an object, got a list; write an object, such as ",
	} {
		in := "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: a}\nspec:\n" +
			"  os: {distribution: debian}\n  " + spec + "\n"
		var out, errs strings.Builder
		code := run([]string{"validate", "-f", "-", "--kubernetes-version", "v1.36.3"}, strings.NewReader(in), &out, &errs)
		if printed := out.String() + errs.String(); code == 0 || !strings.Contains(printed, "stdin:6:") ||
			!strings.Contains(printed, want) {
			t.Errorf("%s: exit code %d, want %q\n%s", spec, code, want, printed)
		}
	}
}
