package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/programs"
)

func TestEndpointFlags(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		want   string
	}{
		"none": {reason: "machines are not served"},
		"all": {reason: "they are", args: []string{
			"--machine-endpoint-bind-address=:9444",
			"--machine-endpoint-url=https://e", "--agent-dir=/agents",
		}},
		"elsewhere": {reason: "another controller serves", args: []string{"--machine-endpoint-url=https://e"}},
		"no TLS": {
			reason: "credentials travel encrypted", args: []string{"--machine-endpoint-url=http://e"},
			want: "--machine-endpoint-url",
		},
		"no URL": {
			reason: "no machine would connect", args: []string{"--machine-endpoint-bind-address=:9444"},
			want: "--machine-endpoint-url",
		},
		"zero": {
			reason: "it would serve no machine", args: []string{"--machine-endpoint-connections-per-source=0"},
			want: "-per-source",
		},
		"no server": {reason: "no server serves the agents", args: []string{"--agent-dir=/agents"}, want: "--agent-dir"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := parse(c.args)
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}

func TestAuthoritiesAreReloaded(t *testing.T) {
	o := &endpointOptions{url: "https://e", certificates: t.TempDir()}
	for _, want := range []string{"", "one", "two"} {
		path := filepath.Join(o.certificates, "ca.crt")
		if want != "" {
			if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e, err := o.hasAgent(nil)()
		if err != nil || e.Authorities != want || e.URL != o.url || e.Agent != nil {
			t.Errorf("%+v, %v", e, err)
		}
	}
	o.authorities = filepath.Join(o.certificates, "none")
	if _, err := o.hasAgent(nil)(); err == nil {
		t.Error("what a flag names has to be there")
	}
}

// variable is a variable of clusterctl's with its default.
var variable = regexp.MustCompile(`\$\{[A-Z_]+:=([^}]*)\}`)

// TestInstalledFlagsAreKnown reads the flags from what kustomize makes of the configuration with the endpoint.
func TestInstalledFlagsAreKnown(t *testing.T) {
	text, err := programs.Manifests(t.Context(), "config/default-endpoint")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(text), "\n---\n") {
		d := &appsv1.Deployment{}
		if !strings.Contains(part, "kind: Deployment") || yaml.Unmarshal([]byte(part), d) != nil {
			continue
		}
		var args []string
		for _, arg := range d.Spec.Template.Spec.Containers[0].Args {
			if strings.Contains(arg, ":=}") {
				t.Errorf("%s: clusterctl does not install a variable with an empty default", arg)
			}
			arg = strings.ReplaceAll(arg, "${MACHINEADM_ENDPOINT_HOST}", "machineadm.example")
			args = append(args, variable.ReplaceAllString(arg, "$1"))
		}
		o, err := parse(args)
		if err != nil || o.endpoint.url != "https://machineadm.example:9444" || o.endpoint.address != ":9444" {
			t.Errorf("%v: %v", args, err)
		}
		return
	}
	t.Error("there is no Deployment")
}
