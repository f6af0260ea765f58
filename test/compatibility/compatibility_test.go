// Package compatibility_test generates docs/compatibility.md: what machineadm works with, and which test shows it with
// which real version. Versions are those of the modules that the tests use.
package compatibility_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/providers"
)

// version returns the version of a module in a go.mod of the tree. The folder is empty for the project's own.
func version(t *testing.T, folder, module string) string {
	t.Helper()
	path := filepath.Join(programs.Root(), folder, "go.mod")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`(?m)^(?:require |\t)` + regexp.QuoteMeta(module) + ` (v\S+)`)
	if m := pattern.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	t.Fatalf("%s does not require %s", path, module)
	return ""
}

// kubernetes returns the oldest and the newest minor version of Kubernetes.
func kubernetes() (oldest, newest string) {
	return fmt.Sprintf("v1.%d", kubeadmnames.Oldest), fmt.Sprintf("v1.%d", kubeadmnames.Newest)
}

// evidence is how far tests go with an operating system.
type evidence struct{ level, tests string }

// The levels, from the most to the least.
const (
	booted   = "booted: joins a real cluster as a Ready node"
	nearly   = "near-stock image booted: joins a real cluster ([limits](evidence/stock.md))"
	library  = "rendered; Talos' own library accepts it; not booted"
	models   = "rendered; read with Bottlerocket's models; not booted"
	foreign  = "rendered; applied by the real cloud-init of Debian; not booted"
	checked  = "rendered; its commands are compared with those of the system; not booted"
	grammar  = "rendered; scripts are held against a grammar; never executed"
	rendered = "rendered; not booted, and no test with its name goes further"
)

// systems returns the evidence of each profile.
func systems() map[string]evidence {
	const goldens = "`TestCloudInitReadsGoldens`"
	const windows = "`TestAnswerFiles`, `TestPowerShell`, `TestOutlinesOfScenarios`"
	all := map[string]evidence{
		"debian":              {booted, "`TestMachinesJoin`, `TestAgentCreatesACluster`, `TestClustersOfBothIPVersions`"},
		"flatcar":             {nearly, "`TestStockImagesJoin`"},
		"fedora-coreos":       {nearly, "`TestStockImagesJoin`"},
		"talos":               {library, "`TestGoldensAreAccepted`"},
		"bottlerocket":        {models, "`TestGoldensAreSettings`, `TestSamplesAreSettings`"},
		"ubuntu":              {foreign, goldens},
		"rhel":                {foreign, goldens},
		"windows-server-2022": {grammar, windows},
		"windows-server-2025": {grammar, windows},
	}
	for _, id := range []string{
		"ol", "azurelinux", "amazon-linux-2", "amazon-linux-2023", "fedora", "openeuler", "opensuse-leap", "sles",
	} {
		all[id] = evidence{checked, "`TestSystemsGetTheirPrograms`"}
	}
	for _, p := range osprofile.Builtin() {
		if _, found := all[p.ID]; !found {
			all[p.ID] = evidence{rendered, "`TestEachSystemRenders`"}
		}
	}
	return all
}

// systemRows returns the table of operating systems.
func systemRows() string {
	var b strings.Builder
	all := systems()
	for _, p := range osprofile.Builtin() {
		var formats []string
		for _, f := range p.Formats {
			formats = append(formats, string(f.Format))
		}
		fmt.Fprintf(&b, "| %s (`%s`) | %s | %s | %s |\n", p.Name, p.ID, strings.Join(slices.Compact(formats), ", "),
			all[p.ID].level, all[p.ID].tests)
	}
	return b.String()
}

// page returns the text of the page.
func page(t *testing.T) string {
	const core, release = "sigs.k8s.io/cluster-api", "k8s.io/kubernetes"
	oldest, newest := kubernetes()
	text, err := os.ReadFile("testdata/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(
		"CORE", version(t, "tools/cluster-api", core), "OLDER", version(t, "tools/cluster-api-1.12", core),
		"OLDEST", oldest, "NEWEST", newest,
		"CURRENT", version(t, "tools/kubernetes", release), "PREVIOUS", version(t, "tools/kubernetes-1.35", release),
		"OLDKUBEADM", version(t, "tools/kubernetes-1.30", release),
		"OLDIGNITION", version(t, "tools/ignition-2.15", "github.com/coreos/ignition/v2"),
		"IGNITION", version(t, "tools/ignition", "github.com/coreos/ignition/v2"),
		"FLATCAR", version(t, "tools/ignition-flatcar", "github.com/flatcar/ignition"),
		"TALOS", version(t, "", "github.com/siderolabs/talos/pkg/machinery"),
		"SYSTEMS", systemRows(), "DOUBLES", strings.Join(slices.Sorted(maps.Keys(providers.All())), ", "),
		"INTEGRATION_CORE", "INTEGRATION_CORE", // not a placeholder
	).Replace(string(text))
}

// TestPageIsCurrent compares the page with its data. UPDATE=1 rewrites it.
func TestPageIsCurrent(t *testing.T) {
	golden.File(t, filepath.Join(programs.Root(), "docs/compatibility.md"), []byte(page(t)))
}

// TestEvidenceIsOfKnownSystems checks that no row is about a system without a profile.
func TestEvidenceIsOfKnownSystems(t *testing.T) {
	known := map[string]bool{}
	for _, p := range osprofile.Builtin() {
		known[p.ID] = true
	}
	for id := range systems() {
		if !known[id] {
			t.Errorf("there is no operating system %s", id)
		}
	}
}

// TestReadmeHasTheVersions compares the versions on the first page with the data.
func TestReadmeHasTheVersions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(programs.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	minor := func(folder string) string {
		parts := strings.Split(strings.TrimPrefix(version(t, folder, "sigs.k8s.io/cluster-api"), "v"), ".")
		return parts[0] + "." + parts[1]
	}
	oldest, newest := kubernetes()
	for _, want := range []string{
		oldest + " to " + newest,
		"tested with " + minor("tools/cluster-api-1.12") + " and " + minor("tools/cluster-api"),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("README.md does not contain %q", want)
		}
	}
}
