//go:build linux

package nodes_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// begin starts the agent in the background; its exit code comes into a file.
const begin = "rm -f /var/log/ended; (machineadm apply >/var/log/apply.log 2>&1; echo $? >/var/log/ended) & "

// cutOff ends the agent once kubeadm has written the pods of the control plane and has not yet made a member of etcd: a
// machine that shuts down does so.
const cutOff = begin + `
for i in $(seq 1200); do [ -e /etc/kubernetes/manifests/kube-scheduler.yaml ] && break; sleep 0.1; done
kill -TERM $(pidof machineadm)
for i in $(seq 100); do [ -e /var/log/ended ] && break; sleep 0.1; done; cat /var/log/ended`

// stall has the machine's etcd answer now and then, for a while, as on a disk that is busy with something else: kubeadm
// reset alone takes the data of the other member away from it.
const stall = `(for i in $(seq 8); do kill -STOP $(pidof etcd); sleep 2.6; kill -CONT $(pidof etcd); sleep 0.12; ` +
	`done) >/dev/null 2>&1 &`

// resetMakesRoom joins a second control plane machine, resets it while the first one is slow, and lets it join again,
// which a shutdown interrupts. It then resets the machine once more. Each reset removes all files of kubeadm, and in
// the end the userdata joins the machine again.
func (c *cluster) resetMakesRoom(t *testing.T, first *machine) {
	m, err := c.boot(t, order{name: "plane-2", number: 12, plane: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, m.logs())
	}
	c.ready(t, m, true)
	m.reportsSuccess(t, "run kubeadm join")
	configuration := c.render(t, m.name, "--format", "machineadm")
	first.must(t, stall)
	m.reset(t, c)
	m.configure(t, configuration)
	if code := m.must(t, cutOff); code != "143\n" {
		t.Fatalf("exit code %s\n%s", code, m.must(t, "cat /var/log/apply.log")+m.logs())
	}
	if output, err := m.run("machineadm apply"); err == nil || !strings.Contains(output,
		"an earlier run was interrupted here") {
		t.Fatalf("half a join was repeated: %v\n%s", err, output)
	}
	m.reset(t, c)
	m.must(t, "sh /etc/machineadm/bootstrap && ! test -e "+sentinel)
	if output, err := m.run("sh " + userdataPath); err != nil {
		t.Fatalf("%v\n%s\n%s", err, output, m.logs())
	}
	c.ready(t, m, true)
	m.must(t, "test -e "+sentinel)
	m.showsNoSecret(t, c.secrets...)
}

// configure gives the machine its configuration again.
func (m *machine) configure(t *testing.T, configuration string) {
	t.Helper()
	m.must(t, "umask 077; mkdir -p /etc/machineadm; cat >/etc/machineadm/machineadm_config.yaml <<'END'\n"+
		configuration+"\nEND\n")
}

// reset has the machine leave the cluster, and holds that nothing is left which kubeadm would find.
func (m *machine) reset(t *testing.T, c *cluster) {
	t.Helper()
	output, err := m.run("machineadm reset")
	_, after, _ := strings.Cut(output, "undo: run kubeadm")
	if err != nil || !strings.HasPrefix(after, " join\n") {
		t.Fatalf("%v\n%s\n%s", err, output, m.logs())
	}
	left := m.must(t, "find /etc/kubernetes /var/lib/etcd /var/lib/kubelet ! -type d; pidof kubelet "+
		"kube-apiserver etcd; true")
	if left != "" {
		t.Fatalf("what is left:\n%s\n%s", left, m.logs())
	}
	api, err := c.GetUncachedClient(t.Context(), client.ObjectKey{})
	if err != nil {
		t.Fatal(err)
	}
	NewWithT(t).Eventually(func() error {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name}}
		return client.IgnoreNotFound(api.Delete(t.Context(), n))
	}).WithTimeout(patience).Should(Succeed(), "%s", output)
}
