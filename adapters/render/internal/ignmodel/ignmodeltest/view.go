package ignmodeltest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports/portstest"
)

// View returns a function for the content at a path of a configuration. The configuration is what the format's own
// parser has read. The content at the program's path includes the script of the commands that run at every boot.
func View(t testing.TB, parsed any) func(place string) string {
	t.Helper()
	data, err := json.Marshal(parsed)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	at := portstest.Tree(root)
	return func(place string) string {
		text := at(place)
		if strings.Contains(text, bootscript.Path+"\n") {
			text += at(placeOf(root, plan.BootPath))
		}
		return text
	}
}

// placeOf returns the place of the file with the path.
func placeOf(root map[string]any, path string) string {
	storage, _ := root["storage"].(map[string]any)
	files, _ := storage["files"].([]any)
	for i, f := range files {
		if file, _ := f.(map[string]any); file["path"] == path {
			return indexed("storage.files", i)
		}
	}
	return "none"
}

func indexed(list string, i int) string {
	b, _ := json.Marshal(i)
	return list + "[" + string(b) + "]"
}
