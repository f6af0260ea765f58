// Package talos_test has the library that Talos itself reads its configuration with read every output: strictly, as a
// machine in a cloud and as one on bare metal. What that library takes and Talos refuses at boot is looked for here a
// second time.
package talos_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/config"
	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"

	"github.com/machineadm/machineadm/test/scenarios"
)

// mode is how a machine runs Talos.
type mode struct {
	name    string
	install bool
}

func (m mode) String() string        { return m.name }
func (m mode) RequiresInstall() bool { return m.install }
func (mode) InContainer() bool       { return false }

// taken reads the configuration, and fails the test if the library or a booting machine would mind anything.
func taken(t *testing.T, data []byte) config.Provider {
	t.Helper()
	provider, err := configloader.NewFromBytes(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	for _, m := range []mode{{name: "cloud"}, {name: "metal", install: true}} {
		warnings, err := provider.Validate(m, validation.WithLocal(), validation.WithStrict())
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", m, err, warnings)
		}
	}
	files, err := provider.Machine().Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		bootable(t, f)
	}
	for _, roots := range provider.TrustedRoots().ExtraTrustedRootCertificates() {
		if !strings.Contains(roots, "-----BEGIN CERTIFICATE-----") {
			t.Errorf("no certificate in %q", roots)
		}
	}
	return provider
}

// bootable looks for what stops a boot, or is lost (siderolabs/talos: WriteUserFiles).
func bootable(t *testing.T, f talosmachine.File) {
	t.Helper()
	if !strings.HasPrefix(f.Path(), "/var/") && f.Path() != "/etc/cri/conf.d/20-customization.part" {
		t.Errorf("%q is outside of /var", f.Path())
	}
	if f.Op() != "create" {
		t.Errorf("%q: operation %q", f.Path(), f.Op())
	}
	if f.Permissions() == 0 || f.Permissions() > 0o777 {
		t.Errorf("%q: mode %o", f.Path(), f.Permissions())
	}
}

func TestGoldensAreAccepted(t *testing.T) {
	for _, golden := range scenarios.Of(t, "talos") {
		t.Run(golden.Name(), func(t *testing.T) { taken(t, golden.Data) })
	}
	rendered, err := filepath.Glob("../../../adapters/render/talos/testdata/rendered/*.yaml")
	if err != nil || len(rendered) == 0 {
		t.Fatalf("no goldens of the renderer: %v", err)
	}
	for _, golden := range rendered {
		t.Run(golden, func(t *testing.T) {
			data, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			taken(t, data)
		})
	}
}

// The library takes these; if it no longer does, the renderer's own checks may go.
func TestGapsOfTheLibrary(t *testing.T) {
	golden, err := os.ReadFile("../../../adapters/render/talos/testdata/rendered/worker-1.13.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := func(fields string) string {
		return strings.Replace(string(golden), "machine:\n", "machine:\n    files:\n        - {content: x, "+fields+"}\n", 1)
	}
	cases := map[string]string{
		"outside": file("path: /etc/x, op: create, permissions: 0o644"),
		"bogus":   file("path: /var/x, op: bogus, permissions: 0o644"),
		"no mode": file("path: /var/x, op: create"),
		"no PEM":  string(golden) + "---\napiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: a\ncertificates: \"\"\n",
	}
	for name, text := range cases {
		provider, err := configloader.NewFromBytes([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := provider.Validate(mode{name: "cloud"}, validation.WithLocal(), validation.WithStrict()); err != nil {
			t.Errorf("%s is refused now: %v", name, err)
		}
	}
}
