package bootstrap_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// talosRequest is that of a Talos machine in a cluster of its flavor.
func talosRequest(change ...func(*bootstrap.Request)) bootstrap.Request {
	return request(append([]func(*bootstrap.Request){on("talos"), of(node.ControlPlaneTalos)}, change...)...)
}

func (w *world) secrets(t *testing.T) node.TalosSecrets {
	t.Helper()
	s, _, found := document.First[node.TalosSecrets](w.rendered)
	if !found {
		t.Fatal("the machine got no Talos secrets")
	}
	return s
}

// paths returns the files of certificates that the last machine got.
func (w *world) paths() []string {
	var paths []string
	for _, c := range w.node().Certificates {
		paths = append(paths, c.Path)
	}
	return paths
}

func TestFirstTalosMachineCreatesTheSecrets(t *testing.T) {
	w := newWorld()
	w.certificates.Assume = false
	ready := w.ready(t, talosRequest(controlPlane, uninitialized))
	s := w.secrets(t)
	if findings := s.Check("talos"); findings.HasErrors() || s.OSCA.Key.IsZero() {
		t.Errorf("the secrets are not complete:\n%s", findings)
	}
	if w.node().Role != node.RoleInit || w.node().Discovery != nil {
		t.Errorf("role %s, discovery %v", w.node().Role, w.node().Discovery)
	}
	want := []string{
		"ca.crt", "ca.key", "sa.pub", "sa.key", "front-proxy-ca.crt", "front-proxy-ca.key",
		"etcd/ca.crt", "etcd/ca.key",
	}
	if diff := cmp.Diff(want, w.paths()); diff != "" {
		t.Errorf("certificates (-want +got):\n%s", diff)
	}
	if ready.TokenID != "" {
		t.Errorf("the token %s is to be looked after", ready.TokenID)
	}
}

// TestTalosMachinesShare has all machines of a cluster, the last of them an hour later, given the same secrets.
func TestTalosMachinesShare(t *testing.T) {
	w := newWorld()
	w.ready(t, talosRequest(named("cp0"), controlPlane, uninitialized))
	first := w.secrets(t)
	w.clock.Advance(time.Hour)
	w.ready(t, talosRequest(named("cp1"), controlPlane))
	if diff := cmp.Diff(first, w.secrets(t), cmp.Comparer(secret.Value.Equal)); diff != "" {
		t.Errorf("the second machine got others (-first +second):\n%s", diff)
	}
	w.ready(t, talosRequest(named("w0")))
	worker := w.secrets(t)
	if !worker.OSCA.Key.IsZero() {
		t.Error("a worker got the key of the CA")
	}
	first.OSCA.Key = secret.Value{}
	if diff := cmp.Diff(first, worker, cmp.Comparer(secret.Value.Equal)); diff != "" {
		t.Errorf("the worker got others (-first +worker):\n%s", diff)
	}
	if token := w.node().Discovery.Token; !token.Equal(first.BootstrapToken) {
		t.Error("the worker does not join by the cluster's token")
	}
	if diff := cmp.Diff([]string{"ca.crt"}, w.paths()); diff != "" {
		t.Errorf("the worker's certificates (-want +got):\n%s", diff)
	}
	if kinds := len(w.rendered); kinds != 2 {
		t.Errorf("a Talos worker is given %d documents, want its node and the secrets alone", kinds)
	}
}

func TestOneTalosMachineStarts(t *testing.T) {
	w := newWorld()
	w.ready(t, talosRequest(named("cp0"), controlPlane, uninitialized))
	if o := w.produce(t, talosRequest(named("cp1"), controlPlane, uninitialized)); summary(o) != "WaitingForFirstMachine" {
		t.Errorf("the second machine: %s", summary(o))
	}
}

func TestTalosOutcomes(t *testing.T) {
	broken := func(err error) func(*world) {
		return func(w *world) { w.talos.Break(clusterKey, err) }
	}
	cases := map[string]struct {
		reason  string
		request bootstrap.Request
		arrange func(*world)
		want    string
	}{
		"worker, too early": {
			reason: "another provider makes the secrets", request: talosRequest(),
			want: "WaitingForTalosSecrets",
		},
		"foreign": {
			reason: "another owner's Secret is never used", request: talosRequest(),
			arrange: broken(ports.ErrNotOwned), want: "stalled SecretNotOwned",
		},
		"foreign, first": {
			reason: "nor by the first machine", request: talosRequest(controlPlane, uninitialized),
			arrange: broken(ports.ErrNotOwned), want: "stalled SecretNotOwned",
		},
		"bad": {reason: "a Secret that is no bundle is never replaced", request: talosRequest(controlPlane,
			uninitialized), arrange: broken(ports.ErrInvalidTalosSecrets), want: "stalled BadTalosSecrets"},
		"foreign client": {
			reason: "nor is a client configuration", request: talosRequest(controlPlane, uninitialized),
			arrange: func(w *world) { w.talos.StealClient(clusterKey) }, want: "stalled SecretNotOwned",
		},
		"worker without a CA": {
			reason: "Talos trusts the certificate", request: talosRequest(),
			arrange: func(w *world) { w.talos.Assume, w.certificates.Assume = true, false }, want: "WaitingForCertificates",
		},
		"no endpoint": {
			reason:  "all Talos machines have to know it, the first included",
			request: talosRequest(controlPlane, uninitialized, func(r *bootstrap.Request) { r.Cluster.Network.Endpoint = "" }),
			want:    "WaitingForEndpoint",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if tc.arrange != nil {
				tc.arrange(w)
			}
			if got := summary(w.produce(t, tc.request)); got != tc.want {
				t.Errorf("%s, want %s: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func (w *world) ensure(t *testing.T, r bootstrap.Request) outcome {
	t.Helper()
	o, err := result(w.Ensure(t.Context(), r))
	if err != nil {
		t.Fatalf("ensure: %v", err)
	}
	return o
}

func (w *world) start(t *testing.T, r bootstrap.Request) *bootstrap.Start {
	t.Helper()
	ready := w.ensure(t, r)
	if ready.Name == "" {
		t.Fatal("the machine is not ready")
	}
	return ready.Start
}

// TestTalosBootstrapIsRequestedUntilItHappened follows a control plane machine: it has no address at first, then one,
// then the cluster is up.
func TestTalosBootstrapIsRequestedUntilItHappened(t *testing.T) {
	w := newWorld()
	reachable := func(r *bootstrap.Request) {
		r.Machine.Addresses, r.Cluster.Addresses = []string{"192.0.2.7", "10.0.0.7"}, []string{"10.0.0.7", "192.0.2.7"}
	}
	fresh := w.start(t, talosRequest(controlPlane, uninitialized))
	again := w.start(t, talosRequest(controlPlane, uninitialized))
	if fresh.Done || fresh.Message != again.Message {
		t.Errorf("the message changed without need: %q and %q", fresh.Message, again.Message)
	}
	addressed := w.start(t, talosRequest(controlPlane, uninitialized, reachable))
	for _, want := range []string{
		"--nodes 192.0.2.7 bootstrap", "Secret c1-talosconfig",
		"kubectl get secret -n default",
	} {
		if !strings.Contains(addressed.Message, want) {
			t.Errorf("%q does not contain %q", addressed.Message, want)
		}
	}
	if endpoints, _, _ := w.talos.Client(clusterKey); !cmp.Equal(endpoints, []string{"10.0.0.7", "192.0.2.7"}) {
		t.Errorf("the client asks %v", endpoints)
	}
	if up := w.start(t, talosRequest(controlPlane, reachable)); !up.Done || up.Message != "" {
		t.Errorf("the cluster is up: %+v", up)
	}
	if worker := w.start(t, talosRequest(named("w0"))); worker != nil {
		t.Errorf("a worker gets %+v", worker)
	}
}

// TestProviderStartsTalos checks that no administrator is asked to start a cluster that a control plane provider
// starts.
func TestProviderStartsTalos(t *testing.T) {
	w := newWorld()
	managed := func(r *bootstrap.Request) { r.Cluster.StandAlone = false }
	for _, state := range []string{"new", "published"} {
		if start := w.start(t, talosRequest(controlPlane, uninitialized, managed)); start != nil {
			t.Errorf("%s data: %+v", state, start)
		}
	}
	if start := w.start(t, talosRequest(controlPlane, managed)); start == nil || !start.Done {
		t.Errorf("the cluster has started: %+v", start)
	}
}

func TestChangedTypeLeavesPublishedDataAlone(t *testing.T) {
	w := newWorld()
	w.ready(t, request(controlPlane))
	if start := w.start(t, request(controlPlane, of(node.ControlPlaneTalos))); start != nil {
		t.Errorf("a machine of kubeadm gets %+v", start)
	}
}

func TestReplacedTalosconfigIsReportedLater(t *testing.T) {
	w := newWorld()
	w.ready(t, talosRequest(controlPlane, uninitialized))
	w.talos.StealClient(clusterKey)
	ready := w.ensure(t, talosRequest(controlPlane))
	if ready.Name == "" || held(ready) != "stalled SecretNotOwned" || ready.Next != 100*time.Second {
		t.Errorf("outcome %+v: no event follows when it is released", ready)
	}
}
