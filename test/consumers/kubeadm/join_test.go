package kubeadm_test

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	plugin "github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
)

const (
	// adminConfig is not where kubeadm keeps its own, which it tries to renew.
	adminConfig = "/root/kubeconfig"
	// patience is how long the controller manager may take; the test goes on as soon as it is done.
	patience = 10 * time.Minute
)

// cluster is a real API server with the objects that joining machines read.
type cluster struct {
	*controlplane.ControlPlane
	kubeconfig []byte
}

func newCluster(t *testing.T) cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard())
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	// kubeadm notes on the first machine's node which runtime it has.
	first := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:   "first",
		Labels: map[string]string{corev1.LabelHostname: "first"},
	}}
	if err := c.Client.Create(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.Dir, "admin.kubeconfig")
	if err := c.WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	program, err := controlplane.Tool(t.Context(), "kube-controller-manager")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := controlplane.StartProcess(context.WithoutCancel(t.Context()),
		filepath.Join(c.Dir, "kube-controller-manager.log"), program,
		"--kubeconfig="+path, "--leader-elect=false", "--secure-port=0", "--controllers=bootstrap-signer-controller")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := signer.Stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster{ControlPlane: c, kubeconfig: machine{}.read(t, path)}
}

// prepare has the program upload its configuration and the token, and waits until the controller manager has signed
// what joining machines look for first.
func (c cluster) prepare(t *testing.T, program string) {
	t.Helper()
	m := newMachine(t, program, "")
	m.online = true
	m.write(t, adminConfig, c.kubeconfig, 0o600)
	apiVersion := "v1beta4"
	if program == native {
		apiVersion = "v1beta3"
	}
	m.write(t, plugin.ConfigPath, []byte(`apiVersion: kubeadm.k8s.io/`+apiVersion+`
kind: InitConfiguration
nodeRegistration: {name: first, criSocket: "unix:///run/containerd/containerd.sock"}
localAPIEndpoint: {advertiseAddress: 10.0.0.7}
bootstrapTokens: [{token: `+canary.Token+`}]
---
apiVersion: kubeadm.k8s.io/`+apiVersion+`
kind: ClusterConfiguration
controlPlaneEndpoint: `+c.Address()+`
kubernetesVersion: `+version(t, program)+"\n"), 0o600)
	for _, phase := range []string{"upload-config all", "bootstrap-token"} {
		args := append([]string{"init", "phase"}, strings.Fields(phase)...)
		m.mustRun(t, append(args, "--config", plugin.ConfigPath, "--kubeconfig", adminConfig)...)
	}
	id, _, _ := strings.Cut(canary.Token, ".")
	NewWithT(t).Eventually(func(g Gomega) {
		info := &corev1.ConfigMap{}
		key := client.ObjectKey{Namespace: metav1.NamespacePublic, Name: "cluster-info"}
		g.Expect(c.Client.Get(t.Context(), key, info)).To(Succeed())
		g.Expect(info.Data).To(HaveKey("jws-kubeconfig-" + id))
	}).WithTimeout(patience).WithPolling(250 * time.Millisecond).Should(Succeed())
}

// pin is how joining machines know the cluster's CA.
func (c cluster) pin(t *testing.T) string {
	t.Helper()
	block, _ := pem.Decode(c.Config.CAData)
	if block == nil {
		t.Fatal("no CA")
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	return hex.EncodeToString(sum[:])
}

// TestJoinDryRun goes through kubeadm join against a real API server, with each version of the configuration read by
// the program whose own it is.
func TestJoinDryRun(t *testing.T) {
	c := newCluster(t)
	for golden, program := range map[string]string{"worker-v1beta3": native, "worker-v1beta4": newest} {
		t.Run(golden, func(t *testing.T) {
			c.prepare(t, program)
			m := newMachine(t, program, golden)
			m.online = true
			m.edit(t, plugin.ConfigPath, strings.NewReplacer("10.0.0.1:6443", c.Address(),
				strings.Repeat("0123456789abcdef", 4), c.pin(t)))
			out := m.mustRun(t, "join", "--config", plugin.ConfigPath, "--dry-run", "--ignore-preflight-errors=all")
			for _, want := range []string{
				"--node-labels=example.com/pool=yes,topology.kubernetes.io/zone=,zone=1e3", "--provider-id=aws:///i-0123456789",
				"kind: KubeletConfiguration",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in the output", want)
				}
			}
			canary.Check(t, "kubeadm's output", out)
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}
