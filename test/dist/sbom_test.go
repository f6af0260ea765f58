package dist_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
)

// TestSBOMs compares the modules in each SBOM with those that `go version -m` prints, and its licences with the file
// that is published with the programs.
func TestSBOMs(t *testing.T) {
	out := release(t)
	licenses := string(read(t, out, "agents", "THIRD-PARTY-LICENSES.txt"))
	agents, _ := filepath.Glob(filepath.Join(out, "agents", "machineadm-*"))
	tools, _ := filepath.Glob(filepath.Join(out, "bin", "*"))
	for _, program := range append(agents, tools...) {
		name := strings.TrimSuffix(filepath.Base(program), ".exe")
		var document struct {
			SPDXVersion string
			Packages    []struct {
				Name, VersionInfo, LicenseDeclared, SPDXID string
			}
			Relationships []struct{ RelationshipType, RelatedSpdxElement string }
		}
		if err := json.Unmarshal(read(t, out, "sbom", name+".spdx.json"), &document); err != nil {
			t.Fatal(err)
		}
		if document.SPDXVersion != "SPDX-2.3" || len(document.Relationships) != len(document.Packages) {
			t.Errorf("%s: the version is %s, with %d packages and %d relationships", name, document.SPDXVersion,
				len(document.Packages), len(document.Relationships))
		}
		listed := map[string]string{}
		for _, p := range document.Packages {
			listed[p.Name] = p.VersionInfo
			if p.LicenseDeclared == "" || p.LicenseDeclared == "NOASSERTION" {
				t.Errorf("%s: %s has no licence", name, p.Name)
			}
		}
		linked := 0
		for line := range strings.Lines(debian.Output(t, "go", "version", "-m", program)) {
			fields := strings.Fields(line)
			if fields[0] != "dep" {
				continue
			}
			linked++
			if listed[fields[1]] != fields[2] {
				t.Errorf("%s links %s %s, and the SBOM has %q", name, fields[1], fields[2], listed[fields[1]])
			}
			if !strings.Contains(licenses, "\n"+fields[1]+" "+fields[2]+" (") {
				t.Errorf("THIRD-PARTY-LICENSES.txt does not contain %s, which %s links", fields[1], name)
			}
		}
		// The others are the program and the standard library.
		if linked == 0 || len(document.Packages) != linked+2 || listed["stdlib"] == "" {
			t.Errorf("%s links %d modules, and the SBOM has %d packages", name, linked, len(document.Packages))
		}
	}
}
