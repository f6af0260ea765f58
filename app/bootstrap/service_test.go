package bootstrap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

var clusterKey = ports.Key{Namespace: "default", Name: "c1"}

// world is the use case with everything around it in memory.
type world struct {
	*bootstrap.Service
	tokens       *memory.Tokens
	talos        *memory.TalosSecrets
	certificates *memory.Certificates
	lock         *memory.InitLock
	data         *memory.DataSecrets
	clock        *memory.Clock
	// rendered are the documents of the last rendering; findings are what rendering finds.
	rendered []document.Document
	findings report.Report
}

func newWorld() *world {
	w := &world{
		tokens: &memory.Tokens{}, talos: &memory.TalosSecrets{}, certificates: &memory.Certificates{Assume: true},
		lock: &memory.InitLock{},
		data: &memory.DataSecrets{}, clock: memory.NewClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)),
	}
	w.Service = bootstrap.New(bootstrap.Options{
		Render: w.render, Certificates: w.certificates, Tokens: w.tokens, Talos: w.talos, Lock: w.lock, Data: w.data,
		Clock:   w.clock,
		Entropy: &memory.Entropy{},
	})
	return w
}

func (w *world) render(_ context.Context, job plan.Job) (render.Result, error) {
	w.rendered = job.Documents
	n, _, _ := document.First[node.NodeConfig](job.Documents)
	text := string(n.Role)
	if n.Discovery != nil {
		text += " " + string(n.Discovery.Token.Reveal())
	}
	payload := delivery.Payload{Format: job.Format, Data: secret.FromString(text)}
	return render.Result{Rendering: ports.Rendering{Payload: payload}, Findings: w.findings}, nil
}

func (w *world) node() node.NodeConfig {
	n, _, _ := document.First[node.NodeConfig](w.rendered)
	return n
}

func (w *world) payload(name string) string {
	p, _ := w.data.Payload(ports.Key{Namespace: "default", Name: name})
	return string(p.Data.Reveal())
}

// request returns a worker's request to an initialized cluster, changed.
func request(change ...func(*bootstrap.Request)) bootstrap.Request {
	r := bootstrap.Request{
		Owner: ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
		Cluster: ports.Cluster{
			Key: clusterKey, Network: node.Cluster{Name: "c1", Endpoint: "10.0.0.1:6443"},
			InfrastructureReady: true, Initialized: true, StandAlone: true, OldestVersion: "v1.36.0",
		},
		Machine:  ports.Machine{Name: "m1", Version: "v1.36.3"},
		Describe: describe(),
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

func describe(docs ...document.Document) func(context.Context) (composition.Description, error) {
	return func(context.Context) (composition.Description, error) {
		return composition.Description{Job: plan.Job{Documents: docs, Format: delivery.FormatIgnition}}, nil
	}
}

func named(name string) func(*bootstrap.Request) {
	return func(r *bootstrap.Request) {
		r.Owner.Name, r.Owner.UID, r.Machine.Name = name, "uid-"+name, name
	}
}

func controlPlane(r *bootstrap.Request)  { r.Machine.ControlPlane = true }
func uninitialized(r *bootstrap.Request) { r.Cluster.Initialized = false }
func pool(r *bootstrap.Request)          { r.Machine.Pool = true }
func joined(r *bootstrap.Request)        { r.Machine.Joined = true }

func TestProduceOutcomes(t *testing.T) {
	cases := map[string]struct {
		reason  string
		request bootstrap.Request
		arrange func(*world)
		want    string
	}{
		"worker": {
			reason:  "A worker of an initialized cluster joins.",
			request: request(), want: "ready",
		},
		"infrastructure": {
			reason:  "Nothing is created before the infrastructure is ready.",
			request: request(func(r *bootstrap.Request) { r.Cluster.InfrastructureReady = false }),
			want:    "WaitingForInfrastructure",
		},
		"early worker": {
			reason:  "A worker has nothing to join before the control plane is initialized.",
			request: request(uninitialized), want: "WaitingForControlPlane",
		},
		"no endpoint": {
			reason:  "A machine that joins has to know where.",
			request: request(func(r *bootstrap.Request) { r.Cluster.Network.Endpoint = "" }), want: "WaitingForEndpoint",
		},
		"no version": {
			reason:  "Which kubeadm document is written depends on the version.",
			request: request(func(r *bootstrap.Request) { r.Machine.Version = "" }), want: "stalled InvalidSpec",
		},
		"newer worker": {
			reason:  "Kubelet may not be newer than the API server.",
			request: request(func(r *bootstrap.Request) { r.Machine.Version = "v1.37.0" }), want: "stalled VersionSkew",
		},
		"much older worker": {
			reason:  "Kubelet may be three minor versions older, not four.",
			request: request(func(r *bootstrap.Request) { r.Machine.Version = "v1.32.0" }), want: "stalled VersionSkew",
		},
		"older worker": {
			reason:  "Three are allowed.",
			request: request(func(r *bootstrap.Request) { r.Machine.Version = "v1.33.0" }), want: "ready",
		},
		"control plane pool": {
			reason:  "Machines of a pool have one userdata, so only one could start the cluster.",
			request: request(controlPlane, pool), want: "stalled InvalidSpec",
		},
		"no CA": {
			reason:  "Without the CA a machine cannot trust its cluster.",
			request: request(), want: "WaitingForCertificates",
			arrange: func(w *world) { w.certificates.Assume = false },
		},
		"bad CA": {
			reason:  "A Secret that is not a key pair is a user's mistake.",
			request: request(), want: "stalled BadCertificate",
			arrange: func(w *world) { w.certificates.Put(clusterKey, node.PurposeClusterCA, node.KeyPair{}) },
		},
		"certificates of a control plane provider": {
			reason: "Only a control plane without a provider gets its certificates from here.",
			request: request(controlPlane, uninitialized, func(r *bootstrap.Request) {
				r.Cluster.StandAlone = false
			}), want: "WaitingForCertificates",
			arrange: func(w *world) { w.certificates.Assume = false },
		},
		"no provider": {
			reason:  "The first machine of a control plane without a provider creates the certificates.",
			request: request(controlPlane, uninitialized), want: "ready",
			arrange: func(w *world) { w.certificates.Assume = false },
		},
		"missing reference": {
			reason: "A reference that is not there yet may come.",
			request: request(func(r *bootstrap.Request) {
				r.Describe = func(context.Context) (composition.Description, error) {
					return composition.Description{Missing: report.Report{report.Errorf("spec", "Secret a does not exist")}}, nil
				}
			}), want: "WaitingForReference",
		},
		"mistake": {
			reason:  "A description that renders with errors is mended by its author.",
			request: request(), want: "stalled InvalidSpec",
			arrange: func(w *world) { w.findings = report.Report{report.Errorf("spec.os", "no such thing")} },
		},
		"control plane settings on a worker": {
			reason: "They would be ignored silently.",
			request: request(
				func(r *bootstrap.Request) { r.Describe = describe(document.Document{Value: node.ControlPlaneConfig{}}) }),
			want: "stalled InvalidSpec",
		},
		"unreachable": {
			reason:  "A cluster that cannot be reached now will be later.",
			request: request(), want: "ClusterUnreachable",
			arrange: func(w *world) { w.tokens.Fail = ports.ErrUnreachable },
		},
		"foreign Secret": {
			reason:  "What another object controls is never taken.",
			request: request(), want: "stalled SecretNotOwned",
			arrange: func(w *world) {
				_ = w.data.Create(context.Background(), ports.DataSecret{
					Key: ports.Key{Namespace: "default", Name: "m1"}, Owner: ports.Owner{UID: "other"},
				})
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if tc.arrange != nil {
				tc.arrange(w)
			}
			if got := summary(w.produce(t, tc.request)); got != tc.want {
				t.Errorf("%s\ngot %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestInvalidConfigsCauseNoRequestToTheCluster(t *testing.T) {
	w := newWorld()
	w.findings = report.Report{report.Errorf("spec.os", "no such thing")}
	w.produce(t, request())
	id := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}.TokenID(0)
	if _, err := w.tokens.Find(t.Context(), clusterKey, id); !errors.Is(err, ports.ErrTokenNotFound) {
		t.Errorf("a machine that cannot be rendered has a token: %v", err)
	}
}

// TestMistakesOfPluginsRepeatNothing uses an expander and a format that quote the content of a plugin's Secret, and the
// machine's own spec, which is public.
func TestMistakesOfPluginsRepeatNothing(t *testing.T) {
	w, at := newWorld(), report.Path("spec.pluginRefs[1]")
	w.findings = report.Report{
		report.Errorf(at+".documents[0].spec.options", "it is not %q", "canary7q9zk2xw5v").To("write %q", "canary7q9zk2xw5v"),
		report.Errorf("spec.os", "there is no %q", "debina"),
	}
	o := w.produce(t, request(func(r *bootstrap.Request) {
		r.Describe = func(context.Context) (composition.Description, error) {
			return composition.Description{Job: plan.Job{Format: delivery.FormatIgnition}, Plugins: composition.Composition{
				{At: "spec.pluginRefs[0]", Observed: composition.Observed{State: composition.Ready}},
				{At: at, Observed: composition.Observed{State: composition.Ready}},
			}}, nil
		}
	}))
	stalled, is := as[bootstrap.StalledError](o)
	want := "error: spec.os: there is no \"debina\"\nerror: spec.pluginRefs[1].documents[0].spec.options: it is not a " +
		"value; write a value"
	if !is || strings.TrimSpace(stalled.Findings.String()) != want || strings.Contains(stalled.Message, "canary") {
		t.Errorf("%#v", o)
	}
}

func TestDefaultsOfAWorker(t *testing.T) {
	w := newWorld()
	given := []document.Document{
		{Value: machine.SysctlConfig{Settings: []machine.Sysctl{{Name: "vm.swappiness", Value: "10"}}}},
		{Value: machine.KernelModulesConfig{Modules: []machine.KernelModule{{Name: "overlay"}}}},
	}
	w.ready(t, request(func(r *bootstrap.Request) { r.Describe = describe(given...) }))
	sysctls, _, _ := document.First[machine.SysctlConfig](w.rendered)
	wantSysctls := []machine.Sysctl{{Name: "net.ipv4.ip_forward", Value: "1"}, {Name: "vm.swappiness", Value: "10"}}
	if diff := cmp.Diff(wantSysctls, sysctls.Settings); diff != "" {
		t.Errorf("sysctls (-want +got):\n%s", diff)
	}
	modules, _, _ := document.First[machine.KernelModulesConfig](w.rendered)
	if diff := cmp.Diff([]machine.KernelModule{{Name: "overlay"}, {Name: "br_netfilter"}}, modules.Modules); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	wantTaints := []node.Taint{{Key: node.UninitializedTaint, Effect: "NoSchedule"}}
	if diff := cmp.Diff(wantTaints, w.node().Registration.Taints); diff != "" {
		t.Errorf("taints (-want +got):\n%s", diff)
	}
	for _, kind := range []document.Kind{machine.KindKubernetes, machine.KindOSUpdates} {
		found := false
		for _, d := range w.rendered {
			found = found || d.Kind() == kind
		}
		if !found {
			t.Errorf("there is no %s", kind)
		}
	}
	if len(given[0].Value.(machine.SysctlConfig).Settings) != 1 {
		t.Error("the given documents were changed")
	}
}

func TestRetryFindsItsOwnToken(t *testing.T) {
	w := newWorld()
	w.ready(t, request())
	before := w.payload("m1")
	w.data.Delete(ports.Key{Namespace: "default", Name: "m1"})
	w.ready(t, request())
	if after := w.payload("m1"); after != before {
		t.Errorf("the data was %q and is %q; the same token should be in both", before, after)
	}
}

func TestUsedTokenIDIsSkipped(t *testing.T) {
	w := newWorld()
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	foreign := node.BootstrapToken{
		ID: owner.TokenID(0), Secret: secret.FromString("aaaaaaaaaaaaaaaa"),
		Owner: "default/c1/other",
	}
	if err := w.tokens.Create(t.Context(), clusterKey, foreign); err != nil {
		t.Fatalf("create: %v", err)
	}
	ready := w.ready(t, request())
	if ready.TokenID != owner.TokenID(1) || !strings.Contains(w.payload("m1"), owner.TokenID(1)+".") {
		t.Errorf("token %s, want %s", ready.TokenID, owner.TokenID(1))
	}
}

func TestGivenDiscoveryIsKept(t *testing.T) {
	w := newWorld()
	given := node.NodeConfig{Discovery: &node.Discovery{Token: secret.FromString("abcdef.canary7q9zk2xw5v")}}
	ready := w.ready(t, request(func(r *bootstrap.Request) { r.Describe = describe(document.Document{Value: given}) }))
	got := w.node().Discovery
	if ready.TokenID != "" || string(got.Token.Reveal()) != "abcdef.canary7q9zk2xw5v" || len(got.CACertHashes) != 1 ||
		got.APIServerEndpoint == "" {
		t.Errorf("token ID %q, discovery %+v", ready.TokenID, got)
	}
}

// TestGivenDiscoveryIsNotCompleted checks that a kubeconfig of the machine gets no token, and that pins are left out if
// the user trusts any server.
func TestGivenDiscoveryIsNotCompleted(t *testing.T) {
	w := newWorld()
	given := node.NodeConfig{Discovery: &node.Discovery{KubeconfigPath: "/etc/discovery.conf"}}
	ready := w.ready(t, request(func(r *bootstrap.Request) { r.Describe = describe(document.Document{Value: given}) }))
	if d := w.node().Discovery; ready.TokenID != "" || !d.Token.IsZero() || len(d.CACertHashes) > 0 {
		t.Errorf("token ID %q, discovery %+v", ready.TokenID, d)
	}
	w = newWorld()
	given.Discovery = &node.Discovery{UnsafeSkipCAVerification: true}
	ready = w.ready(t, request(func(r *bootstrap.Request) { r.Describe = describe(document.Document{Value: given}) }))
	if d := w.node().Discovery; ready.TokenID == "" || len(d.CACertHashes) > 0 {
		t.Errorf("token ID %q, discovery %+v", ready.TokenID, d)
	}
}

// TestFirstMachineHasTheTokensOfTheUser checks that the other machines do not get them.
func TestFirstMachineHasTheTokensOfTheUser(t *testing.T) {
	w := newWorld()
	token := node.InitToken{Token: secret.FromString("abcdef.canary7q9zk2xw5v")}
	given := node.ControlPlaneConfig{BootstrapTokens: []node.InitToken{token}}
	describe := func(r *bootstrap.Request) { r.Describe = describe(document.Document{Value: given}) }
	tokens := func() int {
		c, _, _ := document.First[node.ControlPlaneConfig](w.rendered)
		return len(c.BootstrapTokens)
	}
	w.ready(t, request(controlPlane, uninitialized, describe))
	if tokens() != 1 {
		t.Errorf("the first machine has %d tokens", tokens())
	}
	w.ready(t, request(controlPlane, named("m2"), describe))
	if tokens() != 0 {
		t.Errorf("the second machine has %d tokens", tokens())
	}
}

func TestOutcomesHoldNoSecrets(t *testing.T) {
	w := newWorld()
	ready := w.ready(t, request())
	half, _, _ := strings.Cut(strings.TrimPrefix(w.payload("m1"), "Worker "+ready.TokenID+"."), " ")
	encoded, err := json.Marshal(ready)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	if text := fmt.Sprintf("%+v %#v %s", ready, ready, encoded); half == "" || strings.Contains(text, half) {
		t.Errorf("the outcome shows the token's secret half")
	}
}
