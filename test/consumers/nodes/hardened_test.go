//go:build linux

package nodes_test

import (
	"crypto/tls"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// exempt are the checks of the CIS benchmark that may fail, by their IDs, with the reason.
const exempt = "testdata/exempt.yaml"

// benched is the output of kube-bench.
type benched struct {
	Controls []struct {
		Tests []struct {
			Results []struct {
				ID     string `json:"test_number"`
				Text   string `json:"test_desc"`
				Status string `json:"status"`
				Actual string `json:"actual_value"`
			} `json:"results"`
		} `json:"tests"`
	}
}

// bench adds kube-bench and its checks to the image.
func (w *world) bench(t *testing.T) {
	t.Helper()
	dir, err := controlplane.ModuleDir(t.Context(), "tools/kube-bench", "github.com/aquasecurity/kube-bench")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(debian.Tool(t, "kube-bench"))
	if err != nil {
		t.Fatal(err)
	}
	layer := t.TempDir()
	put(t, layer+"/opt/kube-bench/kube-bench", string(program), 0o755)
	if err := os.CopyFS(layer+"/opt/kube-bench/cfg", os.DirFS(dir+"/cfg")); err != nil {
		t.Fatal(err)
	}
	w.layers = append([]string{layer}, w.layers...)
}

// fails returns the texts of the benchmark's checks that fail on the machine, by their IDs. At least so many must pass.
func (m *machine) fails(t *testing.T, benchmark, targets string, passes int) map[string]string {
	t.Helper()
	if strings.Contains(targets, "master") {
		// Kubelet restarts a process that loses its lease on a busy machine.
		m.must(t, "for process in etcd kube-apiserver kube-controller-manager kube-scheduler; do "+
			"until pidof $process; do sleep 1; done; done")
	}
	out := m.must(t, "/opt/kube-bench/kube-bench run --config-dir /opt/kube-bench/cfg --benchmark "+benchmark+
		" --json --noremediations --targets "+targets+" 2>/var/log/kube-bench.log")
	var output benched
	if err := json.Unmarshal([]byte(out), &output); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	failing, passing := map[string]string{}, 0
	for _, control := range output.Controls {
		for _, section := range control.Tests {
			for _, r := range section.Results {
				switch r.Status {
				case "PASS":
					passing++
				case "FAIL":
					failing[r.ID] = r.Text + ": " + r.Actual
				}
			}
		}
	}
	if passing < passes {
		t.Errorf("%d checks pass on %s:\n%s", passing, m.name, out)
	}
	return failing
}

// TestHardenedNodesPassTheBenchmark boots a control plane node of the hardened scenario, and in a nightly run a worker.
func TestHardenedNodesPassTheBenchmark(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve(t)
	w.bench(t)
	c := newCluster(t, w)
	failing := map[string]string{}
	nodes := []struct {
		order

		targets string
		passes  int
	}{
		{order{name: "plane-1", number: 11, plane: true, scenario: "hardened"}, "master,etcd,controlplane,node", 60},
		{order{name: "worker-1", number: 12, scenario: "hardened-worker"}, "node", 15},
	}
	for _, o := range nightly.Or(nodes, nodes[:1]) {
		m, err := c.boot(t, o.order)
		if err != nil {
			t.Fatalf("%v\n%s", err, m.logs())
		}
		c.ready(t, m, o.plane)
		m.reportsSuccess(t, map[bool]string{true: "run kubeadm init", false: "run kubeadm join"}[o.plane])
		m.showsNoSecret(t, c.secrets...)
		maps.Copy(failing, m.fails(t, "cis-1.11", o.targets, o.passes))
		if o.plane {
			c.speaksTLS(t, m)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(exemptions(t))), slices.Sorted(maps.Keys(failing))); diff != "" {
		t.Errorf("checks that fail (-exempt +failing):\n%s%v", diff, failing)
	}
}

// TestExemptionsAreDocumented holds the page to the list.
func TestExemptionsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/hardening.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for id, why := range exemptions(t) {
		if !strings.Contains(string(page), "\n| "+id+" | "+why+" |\n") {
			t.Errorf("the page does not explain why %s may fail", id)
		}
		rows++
	}
	_, table, _ := strings.Cut(string(page), "| check | why it may fail |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if got := strings.Count(table, "\n") + 1; got != rows || rows == 0 {
		t.Errorf("the page has %d exemptions, and there are %d", got, rows)
	}
}

func exemptions(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(exempt)
	if err != nil {
		t.Fatal(err)
	}
	var allowed map[string]string
	if err := yaml.UnmarshalStrict(text, &allowed); err != nil {
		t.Fatal(err)
	}
	return allowed
}

// speaksTLS checks the STIG's rules about the TLS arguments of the control plane's processes, and that they are in
// effect. It waits for a process that kubelet starts again.
func (c *cluster) speaksTLS(t *testing.T, m *machine) {
	t.Helper()
	for rule, want := range map[string]struct{ process, argument, port string }{
		"CNTR-K8-000150": {"kube-controller-manager", "--tls-min-version=VersionTLS12", "10257"},
		"CNTR-K8-000160": {"kube-scheduler", "--tls-min-version=VersionTLS12", "10259"},
		"CNTR-K8-000170": {"kube-apiserver", "--tls-min-version=VersionTLS12", "6443"},
		"CNTR-K8-000180": {"etcd", "--auto-tls=false", "2379"},
		"CNTR-K8-000190": {"etcd", "--peer-auto-tls=false", ""},
		"CNTR-K8-000220": {"kube-controller-manager", "--use-service-account-credentials=true", ""},
		"CNTR-K8-000270": {"kube-apiserver", "--authorization-mode=Node,RBAC", ""},
		"CNTR-K8-000300": {"kube-scheduler", "--bind-address=127.0.0.1", ""},
		"CNTR-K8-000310": {"kube-controller-manager", "--bind-address=127.0.0.1", ""},
	} {
		NewWithT(t).Eventually(func(g Gomega) {
			arguments, err := m.run("tr '\\0' '\\n' </proc/$(pidof -s " + want.process + ")/cmdline")
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(strings.Split(arguments, "\n")).To(ContainElement(want.argument))
			if want.port != "" {
				m.refusesOldTLS(g, want.port)
			}
		}).WithTimeout(patience).WithPolling(time.Second).Should(Succeed(), rule+": "+want.process)
	}
}

// refusesOldTLS holds that who speaks TLS 1.1 is refused for that at the port, and who speaks 1.2 is not.
func (m *machine) refusesOldTLS(g Gomega, port string) {
	for _, version := range []uint16{tls.VersionTLS11, tls.VersionTLS12} {
		var output string
		g.Expect(inside(m.path("ns/net"), func() error {
			connection, err := tls.Dial("tcp", "127.0.0.1:"+port, &tls.Config{
				InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: version, //nolint:gosec // this is what is tried
			})
			if err == nil {
				return connection.Close()
			}
			output = err.Error()
			return nil
		})).To(Succeed())
		// Who has no certificate may be refused, too, but later.
		refused, shaken := strings.Contains(output, "protocol version not supported"), output == "" ||
			strings.Contains(output, "handshake failure")
		g.Expect([]bool{refused, shaken}).To(Equal([]bool{version == tls.VersionTLS11, version == tls.VersionTLS12}),
			"port %s, TLS %#x: %s", port, version, output)
	}
}

// profile edits the config of a machine so that a profile alone hardens it.
func profile() []string { return []string{"  machine:\n", "  hardening: {profile: CIS}\n  machine:\n"} }

// answersTheBenchmark checks that what fails on a control plane node with the profile, of the benchmark that the
// profile is about, is what docs/hardening.md calls not answered.
func (m *machine) answersTheBenchmark(t *testing.T) {
	t.Helper()
	failing := m.fails(t, "cis-1.10", "master,etcd,controlplane,node", 50)
	want := []string{"1.1.12", "1.2.5", "4.1.1", "4.3.1"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(failing))); diff != "" {
		t.Errorf("checks that fail (-not answered +failing):\n%s%v", diff, failing)
	}
}
