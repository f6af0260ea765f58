package cloudinit_test

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports/portstest"
)

// view parses the document. runcmd starts files: the program, and the commands that run at every boot.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	u := read(t, payload)
	var root map[string]any
	if err := yaml.Unmarshal(payload, &root); err != nil {
		t.Fatal(err)
	}
	at := portstest.Tree(root)
	return func(place string) string {
		if !strings.HasPrefix(place, "runcmd") {
			return at(place)
		}
		program := ""
		for i, f := range u.WriteFiles {
			if f.Path == privateDir+bootscript.Path || f.Path == privateDir+plan.BootPath {
				program += at(fmt.Sprintf("write_files[%d]", i))
			}
		}
		return program
	}
}

func TestConformance(t *testing.T) {
	for _, distribution := range []string{"ubuntu", "rocky", "photon"} {
		t.Run(distribution, func(t *testing.T) {
			profile, known := osprofile.Lookup(distribution)
			if !known {
				t.Fatal("no such profile")
			}
			target := osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
			portstest.Renderer(t, cloudinit.Renderer{}, target, view)
		})
	}
}
