package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// plane returns a KubeadmControlPlane with a spec.
func plane(spec string) string {
	return "apiVersion: controlplane.cluster.x-k8s.io/v1beta2\nkind: KubeadmControlPlane\nmetadata: {name: a}\n" +
		"spec:\n  kubeadmConfigSpec:\n    " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n    ") + "\n"
}

// numbered returns texts with the numbers from 0.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestLargeText converts large texts. Work that is quadratic in the size of a text would exceed the time limit of all
// tests.
func TestLargeText(t *testing.T) {
	const n = 10_000
	registration := "joinConfiguration:\n  nodeRegistration:\n    kubeletExtraArgs:\n"
	manifest := "files:\n- path: /etc/kubernetes/manifests/kube-vip.yaml\n  content: |\n    spec:\n      containers:\n" +
		"      - env:\n        - {name: address, value: 192.0.2.1}\n        - {name: bgp_enable, value: 'true'}\n" +
		"        - {name: bgp_peers, value: '"
	cases := map[string]struct{ in, want string }{
		"placeholders in a command": {
			plane("preKubeadmCommands:\n- echo " + strings.Repeat("{{ds.id}}", n)), "contains the fact instanceID",
		},
		"placeholders in a file": {
			plane("files:\n- path: /a\n  content: '" + strings.Repeat("{{ds.id}}", n) + "'"), "facts of the machine replace",
		},
		"unknown placeholders": {
			plane("files:\n- path: /a\n  content: '" + numbered(n, "{{ds.x|d(%d)}}") + "'"), `no fact replaces`,
		},
		"open braces": {plane("preKubeadmCommands:\n- echo '" + strings.Repeat("{{ds.", n) + "'"), "is now"},
		"labels": {
			plane(registration + "    - name: node-labels\n      value: " + numbered(n, "a%d=b,")),
			"a node has at most 1000 labels",
		},
		"taints": {
			plane(registration + "    - name: register-with-taints\n      value: " + numbered(n, "a%d=b:NoSchedule,")),
			"spec.node.taints replaces",
		},
		"a long line": {plane("preKubeadmCommands:\n- " + strings.Repeat("a", 4<<20)), "is now"},
		"exports": {
			plane("preKubeadmCommands:\n" + numbered(2000, "- export A%d=1\n") + "postKubeadmCommands:\n- echo $B"),
			"are one command",
		},
		"appended files": {
			plane("files:\n" + numbered(2000, "- {path: /a, append: true, content: a%d}\n")), "the content was appended",
		},
		"documents":  {strings.Repeat("---\n"+plane("verbosity: 2"), 2000), "is now"},
		"separators": {strings.Repeat("---\n", 10*n) + plane("verbosity: 2"), "is now"},
		"brackets":   {plane("a: [" + strings.Repeat("[", 10*n)), "the document was copied"},
		"nesting":    {plane("a: " + strings.Repeat("[", 200) + strings.Repeat("]", 200)), "nested deeper"},
		"routers":    {plane(manifest + strings.Repeat("a:1,", n) + "'}"), "spec.controlPlane.virtualIP replaces"},
		"sed":        {plane("preKubeadmCommands:\n- sed " + strings.Repeat("-i @@A@@ ", n)), "is now"},
		"a cycle":    {plane("files: &a\n- *a"), "the document was copied"},
		"doubled aliases": {
			plane("a0: &a0 [a, a]\n" + doubled(40) + "files: *a40"), "line 1",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			result, err := migrate.Convert(t.Context(), []byte(c.in), migrate.Options{})
			lines := fmt.Sprint(err)
			for _, l := range result.Report {
				lines += "\n" + l.Message
			}
			if !strings.Contains(lines, c.want) {
				t.Errorf("no %q in %.300s", c.want, lines)
			}
		})
	}
}

// doubled returns lists of which each contains the one before twice.
func doubled(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return b.String()
}

// TestReportQuotesNoSecret converts specs with a secret in each place that may contain one.
func TestReportQuotesNoSecret(t *testing.T) {
	const secret = "hunter2"
	cases := map[string]string{
		"token":      "joinConfiguration: {discovery: {bootstrapToken: {token: hunter2}}}",
		"tls token":  "joinConfiguration: {discovery: {tlsBootstrapToken: hunter2}}",
		"tokens":     "initConfiguration: {bootstrapTokens: [{token: hunter2, description: hunter2}]}",
		"kubeconfig": "joinConfiguration: {discovery: {file: {kubeConfig: {user: {authProvider: {config: {a: hunter2}}}}}}}",
		"password":   "users: [{name: a, passwd: hunter2}]",
		"file":       "files: [{path: /a, content: hunter2}, {path: /a, content: hunter2}, hunter2]",
		"gzip":       "files: [{path: /a, encoding: gzip, content: hunter2}]",
		"template":   "files: [{path: /a, contentFormat: go-template, content: hunter2}]",
		"command":    "preKubeadmCommands: ['export A=hunter2', 'sed -i s/hunter2/b/ /run/kubeadm/kubeadm.yaml', [hunter2]]",
		"placeholder": "preKubeadmCommands: ['echo {{ ds.x.y[1] | default(\"hunter2\") }} {% if \"hunter2\" %}', " +
			"'{{ v1.(\"hunter2\") }}']",
		"value": `joinConfiguration: {nodeRegistration: {name: '{{ "hunter2" }}', criSocket: '{{ d("hunter2") }}'}}`,
		"argument": `joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: a, value: '{{ d("hunter2") }}'}, ` +
			`{name: node-labels, value: 'a={{ d("hunter2") }}'}]}}`,
		"ignition": "ignition: {containerLinuxConfig: {additionalConfig: '{hunter2'}}",
		"unit": "ignition: {containerLinuxConfig: {additionalConfig: '{systemd: {units: [{name: kubeadm.service, " +
			"dropins: [{contents: \"[Service]\\nEnvironment=hunter2\\n\"}]}]}}'}}",
		"router": "files: [{path: /etc/kubernetes/manifests/kube-vip.yaml, content: '{spec: {containers: [{env: [" +
			"{name: address, value: a}, {name: bgp_enable, value: \"true\"}, " +
			"{name: bgp_peers, value: \"a:1:hunter2:b\"}]}]}}'}]",
		"environment": "clusterConfiguration: {apiServer: {extraEnvs: [{name: a, value: hunter2, valueFrom: {a: hunter2}}]}}",
		"unknown":     "unknown: {a: hunter2, b: [hunter2]}",
		"not YAML":    "files: [hunter2",
	}
	for name, spec := range cases {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(spec, secret) {
				t.Fatal("the case has no secret")
			}
			result, err := migrate.Convert(t.Context(), []byte(plane(spec)), migrate.Options{})
			if text := fmt.Sprint(result.Report, err); strings.Contains(text, secret) {
				t.Error(text)
			}
		})
	}
}
