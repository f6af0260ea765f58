package kubeadm_test

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// parsed is what these tests look at in kubeadm's configuration.
type parsed struct {
	Kind      string
	APIServer struct {
		ExtraArgs []struct{ Name, Value string } `yaml:"extraArgs"`
	} `yaml:"apiServer"`
	ClusterName      string            `yaml:"clusterName"`
	StaticPodURLHead map[string]string `yaml:"staticPodURLHeader"`
	NodeRegistration struct {
		Name             string
		KubeletExtraArgs []struct{ Name, Value string } `yaml:"kubeletExtraArgs"`
	} `yaml:"nodeRegistration"`
}

func parse(t *testing.T, content []byte) []parsed {
	t.Helper()
	var all []parsed
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var d parsed
		err := decoder.Decode(&d)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, content)
		}
		all = append(all, d)
	}
}

// hostile are values that YAML, shells and templates are fond of changing.
func hostile() []string {
	return []string{
		"yes", "no", "on", "1e3", "0x10", "010", "1_000", "null", "~", "", "true", "2001-01-01", ".inf", "a: b", "a #b",
		"- a", "*a", "&a", "!a", "@a", "%a",
		"`a`", "'a'", `"a"`, `\a\`, "a\nb\n", "\ta", " a ", "a\r\nb", "{{ a }}", "{% a %}", "%s%n", "Grüße 日本 🙂", "<a>&",
		"---", "...", "? a", "|", ">",
		"\x01\x1b", "@fact0.", "@fact0.hostname@", "@fact1.hostname@", "\\u0000",
	}
}

func TestHostileValues(t *testing.T) {
	for i, value := range hostile() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			n := bare(node.RoleInit, "v1.36.3")
			n.Cluster.Name = value
			n.Registration.Name = document.FromFact(document.FactHostname)
			n.Kubelet.Config = node.Tree{"staticPodURLHeader": map[string]any{value: value + "\u0085\u2028\ufeff\u007f"}}
			plane := node.ControlPlaneConfig{APIServer: node.APIServer{Component: node.Component{Args: []node.Arg{
				text("a", value), {Name: "b", Value: document.Join(document.Text(value), document.FromFact(document.FactZone),
					document.Text(value))},
			}}}}
			actions, r := expand(t, n, &plane, osprofile.Target{})
			if len(r) > 0 {
				t.Fatal(r)
			}
			content := configOf(t, actions)
			if diff := cmp.Diff([]document.Fact{document.FactZone, document.FactHostname}, content.Facts()); diff != "" {
				t.Error(diff)
			}
			docs := parse(t, content.Resolve(func(f document.Fact) string { return "<" + string(f) + ">" }))
			got := []string{
				docs[0].ClusterName, docs[0].APIServer.ExtraArgs[0].Value, docs[0].APIServer.ExtraArgs[1].Value,
				docs[1].NodeRegistration.Name, parse(t, kubeletPatch(actions))[0].StaticPodURLHead[value],
			}
			want := []string{value, value, value + "<zone>" + value, "<hostname>", value + "\u0085\u2028\ufeff\u007f"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHostileKubeletArguments: a value arrives, or is refused at its path; it is never changed.
func TestHostileKubeletArguments(t *testing.T) {
	arrived := 0
	for i, value := range hostile() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			n := bare(node.RoleWorker, "v1.36.3")
			n.Kubelet.Args = []node.Arg{text("first", "1"), text("a", value)}
			actions, r := expand(t, n, nil, osprofile.Target{})
			if r.HasErrors() {
				if r[0].Path != nodeAt+".kubelet.extraArgs[1]" {
					t.Errorf("the finding does not name the argument: %s", r)
				}
				return
			}
			arrived++
			got := parse(t, configOf(t, actions).Resolve(sample))[0].NodeRegistration.KubeletExtraArgs[1].Value
			if diff := cmp.Diff(value, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if arrived < 20 {
		t.Errorf("only %d values arrived", arrived)
	}
}
