//go:build linux

package nodes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/scenarios"
)

// over lays the configuration of a scenario over a machine's manifests, of which it keeps the operating system and the
// files.
func over(t *testing.T, manifests, scenario string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(scenarios.Root(t), scenario, "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	documents := strings.Split(manifests, "\n---\n")
	own := parsed(t, documents[1])
	for _, d := range strings.Split(string(text), "\n---\n") {
		switch other := parsed(t, d); other["kind"] {
		case "MachineBootstrapConfig":
			lay(own["spec"].(map[string]any), other["spec"].(map[string]any))
		case "Secret":
			documents = append(documents, d)
		}
	}
	whole, err := yaml.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	documents[1] = string(whole)
	return strings.Join(documents, "\n---\n")
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// lay lays values over others: tables are merged, lists joined, and what is there stays.
func lay(into, from map[string]any) {
	for key, value := range from {
		table, isTable := value.(map[string]any)
		below, wasTable := into[key].(map[string]any)
		list, isList := value.([]any)
		lower, wasList := into[key].([]any)
		switch _, taken := into[key]; {
		case isTable && wasTable:
			lay(below, table)
		case isList && wasList:
			into[key] = append(lower, list...)
		case !taken:
			into[key] = value
		}
	}
}
