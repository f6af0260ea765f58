package controlplane_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	if dir := os.Getenv(abandonedDir); dir != "" {
		os.Exit(abandon(dir))
	}
	os.Exit(m.Run())
}

const patience = 10 * time.Minute

// start starts a control plane with the core manager and the fake infrastructure provider.
func start(t *testing.T) (context.Context, *controlplane.ControlPlane) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir(), Audit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	kcm, err := c.StartControllerManager(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kcm.Stop(); err != nil {
			t.Error(err)
		}
	})
	core, err := c.StartCore(ctx, controlplane.Core114())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := core.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			log, _ := os.ReadFile(core.Log)
			t.Logf("%s", log[max(0, len(log)-8000):])
		}
	})
	if err := c.StartStandIn(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx, c
}

func TestCoreProvisionsAMachineAndSeesItsNode(t *testing.T) {
	g := NewWithT(t)
	ctx, c := start(t)

	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "demo"},
		Spec:       clusterv1.ClusterSpec{InfrastructureRef: standin.Reference(standin.ClusterKind, "demo")},
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "data"},
		StringData: map[string]string{"value": canary.Mark},
	}
	machine := &clusterv1.Machine{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "cp", Labels: map[string]string{clusterv1.MachineControlPlaneLabel: ""},
		},
		Spec: clusterv1.MachineSpec{
			ClusterName: "demo", Version: "v1.36.3", InfrastructureRef: standin.Reference(standin.MachineKind, "cp"),
			Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("data")},
		},
	}
	for _, object := range []client.Object{
		c.ClusterCA(client.ObjectKeyFromObject(cluster)), standin.Object(standin.ClusterKind, "default", "demo"), cluster,
		secret, standin.Object(standin.MachineKind, "default", "cp"), machine,
	} {
		g.Expect(c.Client.Create(ctx, object)).To(Succeed())
	}

	_, err := standin.Join(ctx, c.Client, machine)
	g.Expect(err).NotTo(HaveOccurred())
	g.Eventually(func(g Gomega) {
		g.Expect(c.Client.Get(ctx, client.ObjectKeyFromObject(machine), machine)).To(Succeed())
		g.Expect(machine.Spec.ProviderID).To(Equal(standin.ProviderID("default", "cp")))
		g.Expect(machine.Status.NodeRef.Name).To(Equal("cp"))
		g.Expect(c.Client.Get(ctx, client.ObjectKeyFromObject(cluster), cluster)).To(Succeed())
		g.Expect(meta.IsStatusConditionTrue(cluster.Status.Conditions, clusterv1.ClusterControlPlaneInitializedCondition)).To(
			BeTrue())
	}).WithTimeout(patience).WithPolling(250 * time.Millisecond).Should(Succeed())

	requests, _, err := c.Requests(0)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(requests).To(ContainElement(HaveField("User", "system:serviceaccount:capi-system:manager")))
}

// TestSearch shows secrets where a manager might, and holds that each is seen.
func TestSearch(t *testing.T) {
	g := NewWithT(t)
	ctx := context.WithoutCancel(t.Context())
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir(), Audit: true})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	half := strings.Repeat("s3", 8)
	g.Expect(c.Client.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "token"},
		StringData: map[string]string{"token-secret": half, "other": canary.Mark},
	})).To(Succeed())
	g.Expect(c.Search(ctx)).To(Succeed())

	for _, name := range []string{"manager.log", "manager.metrics"} {
		leak := filepath.Join(c.Dir, name)
		g.Expect(os.WriteFile(leak, []byte("token="+half), 0o600)).To(Succeed())
		g.Expect(c.Search(ctx)).To(MatchError(controlplane.ErrSecretSeen), name)
		g.Expect(os.Remove(leak)).To(Succeed())
	}
	for name, object := range map[string]client.Object{
		"annotation": &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"a": canary.Mark}}},
		"event": &corev1.Event{
			InvolvedObject: corev1.ObjectReference{Namespace: "default"},
			Message:        base64.StdEncoding.EncodeToString([]byte(half)),
		},
		"condition": &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{
			Type:    "Ready",
			Message: half,
		}}}},
	} {
		object.SetName("leak")
		if name != "condition" {
			object.SetNamespace("default")
		}
		g.Expect(c.Client.Create(ctx, object)).To(Succeed(), name)
		g.Expect(c.Search(ctx)).To(MatchError(controlplane.ErrSecretSeen), name)
		g.Expect(c.Client.Delete(ctx, object)).To(Succeed(), name)
	}
	g.Expect(c.Search(ctx)).To(Succeed())

	// The audit log is also searched, and contains the expected entries.
	audit, err := os.ReadFile(c.AuditLog)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(audit)).To(ContainSubstring(`"name":"leak"`))
	checkLargeAuditLog(t, c)
}
