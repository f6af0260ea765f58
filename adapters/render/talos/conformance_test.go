package talos_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/talos"
	"github.com/machineadm/machineadm/ports/portstest"
)

// view has the v1alpha1 document's keys at the root, and all further documents below "documents".
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	root, documents := map[string]any{}, []any{}
	for decoder := yaml.NewDecoder(bytes.NewReader(payload)); ; {
		var document map[string]any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			root["documents"] = documents
			return portstest.Tree(root)
		}
		if err != nil {
			t.Fatal(err)
		}
		if document["kind"] == nil {
			maps.Copy(root, document)
		} else {
			documents = append(documents, document)
		}
	}
}

func TestConformance(t *testing.T) {
	for _, release := range []string{"1.11.0", ""} {
		to := target(t, release)
		to.KubernetesVersion = "v1.32.4"
		t.Run("release "+release, func(t *testing.T) { portstest.Renderer(t, talos.New(), to, view) })
	}
}
