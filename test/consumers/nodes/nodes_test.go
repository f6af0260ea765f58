//go:build linux

package nodes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/nightly"
)

// patience is how long kubelet may take to call its node ready; the test goes on as soon as it does.
const patience = 10 * time.Minute

const (
	sentinel = "/run/cluster-api/bootstrap-success.complete"
	failed   = "/run/cluster-api/bootstrap-failure.json"
)

// TestAgentCreatesACluster boots the first machine of a cluster and a worker with the agent, and in a nightly run a
// second worker, each with the userdata of its manifests. Other machines then fail to join this cluster, and a second
// control plane machine joins and leaves it.
func TestAgentCreatesACluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve(t)
	c := newCluster(t, w)
	first, worker := order{name: "plane-1", number: 11, plane: true}, order{name: "worker-1", number: 13}
	orders := nightly.Or([]order{first, worker, {name: "worker-2", number: 14}}, []order{first, worker})
	var machines []*machine
	for i, o := range orders {
		m, err := c.boot(t, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, m.logs())
		}
		c.ready(t, m, o.plane)
		m.reportsSuccess(t, map[bool]string{true: "run kubeadm init", false: "run kubeadm join"}[i == 0])
		machines = append(machines, m)
	}
	for i, m := range machines {
		m.runsOnce(t)
		m.showsNoSecret(t, c.secrets...)
		c.ready(t, m, orders[i].plane)
	}
	// The other machines do not need the workers, which take time of the processors.
	for _, m := range machines[1:] {
		m.end(t)
	}
	t.Run("joins fail", c.joinsFail)
	t.Run("reset makes room", func(t *testing.T) { c.resetMakesRoom(t, machines[0]) })
}

// ready waits until the machine's node is ready, and holds that it is one of the control plane or not, with the label
// that was asked for.
func (c *cluster) ready(t *testing.T, m *machine, plane bool) {
	t.Helper()
	api, err := c.GetUncachedClient(t.Context(), client.ObjectKey{})
	if err != nil {
		t.Fatal(err)
	}
	n := &corev1.Node{}
	NewWithT(t).Eventually(func(g Gomega) {
		g.Expect(api.Get(t.Context(), client.ObjectKey{Name: m.name}, n)).To(Succeed())
		var is corev1.ConditionStatus
		for _, condition := range n.Status.Conditions {
			if condition.Type == corev1.NodeReady {
				is = condition.Status
			}
		}
		g.Expect(is).To(Equal(corev1.ConditionTrue))
	}).WithTimeout(patience).Should(Succeed(), m.logs)
	if _, is := n.Labels["node-role.kubernetes.io/control-plane"]; is != plane ||
		n.Labels["node.kubernetes.io/pool"] != "general" {
		t.Errorf("%s has the labels %v", m.name, n.Labels)
	}
}

// reported contains the fields of a status that the test reads.
type reported struct {
	State string
	Steps []struct{ Phase, Action, Outcome string }
}

// reportsSuccess checks that the machine reports its success everywhere, and that files with secrets are gone.
func (m *machine) reportsSuccess(t *testing.T, joined string) {
	t.Helper()
	m.must(t, "test -e "+sentinel+" && ! test -e "+failed+" && test -e /var/lib/machineadm/done")
	var status reported
	if err := json.Unmarshal([]byte(m.must(t, "machineadm status -o json")), &status); err != nil ||
		status.State != "Succeeded" {
		t.Fatalf("the status: %v, %+v", err, status)
	}
	joins := 0
	for _, s := range status.Steps {
		if s.Outcome != "Changed" && s.Outcome != "Unchanged" {
			t.Errorf("%s: %+v", m.name, s)
		}
		if s.Phase == "join" && s.Action == joined && s.Outcome == "Changed" {
			joins++
		}
	}
	if table := m.must(t, "machineadm status"); joins != 1 || !strings.HasPrefix(table, "Succeeded") ||
		!strings.Contains(table, joined) {
		t.Errorf("%s lists %d joins:\n%s", m.name, joins, table)
	}
	for _, secret := range []string{
		"/etc/machineadm/machineadm_config.yaml", "/etc/machineadm/kubeadm.yaml",
		"/etc/machineadm/patches", "/etc/kubernetes/bootstrap-kubelet.conf",
	} {
		m.must(t, "! test -e "+secret)
	}
}

// runsOnce has the machine do again what a first boot does: nothing.
func (m *machine) runsOnce(t *testing.T) {
	t.Helper()
	const journal = "cat /var/lib/machineadm/journal.jsonl; cat /var/log/phases; pidof kubelet"
	before := m.must(t, journal)
	if message := m.must(t, "machineadm apply"); message != "machineadm: this machine is complete; nothing was done\n" {
		t.Errorf("the second apply of %s: %s", m.name, message)
	}
	if message := m.must(t, "sh "+userdataPath); !strings.Contains(message, "done") {
		t.Errorf("the userdata of %s again: %s", m.name, message)
	}
	if diff := cmp.Diff(before, m.must(t, journal)); diff != "" || !strings.Contains(before, "\npre\npost\n") {
		t.Errorf("%s ran again:\n%s", m.name, diff)
	}
}

// showsNoSecret holds that no log, and nothing that the agent keeps for others, shows a token or a private key.
func (m *machine) showsNoSecret(t *testing.T, secrets ...string) {
	t.Helper()
	for _, pattern := range []string{
		"upper/var/log/*.log", "upper/var/lib/machineadm/status.json",
		"upper/var/lib/machineadm/failure.json", "upper/var/lib/machineadm-hosts/log", "console", "machine.json",
	} {
		files, err := filepath.Glob(filepath.Join(m.state, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			canary.Check(t, f, string(text), secrets...)
		}
	}
}
