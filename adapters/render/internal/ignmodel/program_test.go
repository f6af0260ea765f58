package ignmodel_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestDownloadsUseTheProxy holds that the program downloads through the proxy whose file the engine has written.
func TestDownloadsUseTheProxy(t *testing.T) {
	fetch := action.FetchFile{Path: "/opt/a", URL: "https://example.com/a", SHA256: strings.Repeat("0", 64)}
	trust := action.RunCommand{Name: "trust", Script: "true", When: document.PhaseTrust}
	proxy := ignmodeltest.Text("/etc/machineadm/proxy.env", "https_proxy=http://proxy:3128")
	for name, tc := range map[string]struct {
		steps []action.Operation
		want  bool
	}{
		"with":    {[]action.Operation{proxy, trust, fetch}, true},
		"without": {[]action.Operation{trust, fetch}, false},
	} {
		m := build(t, ignmodeltest.Of(osprofile.Target{}, tc.steps...), ignmodel.Newest.Abilities())
		text, _ := program(m)
		if got := strings.Contains(text, ". /etc/machineadm/proxy.env"); got != tc.want {
			t.Errorf("%s: the program reads the file: %t\n%s", name, got, text)
		}
	}
}
