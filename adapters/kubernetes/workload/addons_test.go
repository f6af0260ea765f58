package workload

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/ports"
)

// addonsCluster is a workload cluster with add-ons.
type addonsCluster struct {
	client.WithWatch
	// writes counts the writes; the one with the number failing fails, after it was applied.
	writes, failing int
	// dials counts connections to the API server, which pass by the cache.
	dials int
}

func (c *addonsCluster) dial(context.Context, client.ObjectKey) (client.Client, error) {
	c.dials++
	return interceptor.NewClient(c.WithWatch, interceptor.Funcs{
		Update: func(ctx context.Context, w client.WithWatch, o client.Object, options ...client.UpdateOption) error {
			return c.written(w.Update(ctx, o, options...))
		},
		Patch: func(ctx context.Context, w client.WithWatch, o client.Object, p client.Patch, options ...client.PatchOption,
		) error {
			return c.written(w.Patch(ctx, o, p, options...))
		},
	}), nil
}

// of returns the workload cluster whose API server this is.
func (c *addonsCluster) of(configuration WriteConfiguration) *Cluster {
	w := NewCluster(ClusterOptions{Configuration: configuration, Clock: memory.NewClock(time.Unix(0, 0))})
	w.dial = c.dial
	w.watched = func(context.Context, client.ObjectKey) (client.Reader, error) { return c, nil }
	return w
}

var errInterrupted = errors.New("interrupted")

func (c *addonsCluster) written(err error) error {
	c.writes++
	if c.writes == c.failing {
		return errInterrupted
	}
	return err
}

// oldCorefile is a Corefile of CoreDNS 1.6.9, whose option upstream does not exist in 1.7.0.
const oldCorefile = `.:53 {
    errors
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        upstream
        fallthrough in-addr.arpa ip6.arpa
    }
    forward . /etc/resolv.conf
    cache 30
}
`

func newAddonsCluster(objects ...client.Object) *addonsCluster {
	builder := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme)
	return &addonsCluster{WithWatch: builder.WithObjects(objects...).Build()}
}

func addonMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: name}
}

func proxySet(image string) *appsv1.DaemonSet {
	set := &appsv1.DaemonSet{ObjectMeta: addonMeta(kubeProxy)}
	set.Spec.Template.Spec.Containers = []corev1.Container{
		{Name: "sidecar", Image: "r.example/x:v1"}, {Name: kubeProxy, Image: image},
	}
	return set
}

func dnsObjects(image, corefile string) []client.Object {
	deployment := &appsv1.Deployment{ObjectMeta: addonMeta(coreDNS)}
	source := &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: coreDNS},
		Items:                []corev1.KeyToPath{{Key: corefileKey, Path: corefileKey}},
	}
	deployment.Spec.Template.Spec = corev1.PodSpec{
		Containers: []corev1.Container{{Name: coreDNS, Image: image}},
		Volumes:    []corev1.Volume{{Name: corefileMount, VolumeSource: corev1.VolumeSource{ConfigMap: source}}},
	}
	config := &corev1.ConfigMap{
		ObjectMeta: addonMeta(coreDNS), Data: map[string]string{corefileKey: corefile, "zones": "kept"},
	}
	return []client.Object{deployment, config}
}

func addonsPlane(tag string) ports.ControlPlane {
	c := ports.ControlPlane{Addons: ports.Addons{KubeProxy: true, CoreDNS: true}}
	c.Desired.Template.Version = "v1.36.3"
	c.Config.CoreDNS.ImageTag = tag
	return c
}

// state returns what users of the add-ons see.
func (c *addonsCluster) state(t *testing.T) map[string]string {
	t.Helper()
	deployment, config := &appsv1.Deployment{}, &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: coreDNS}
	if err := errors.Join(c.Get(t.Context(), key, deployment), c.Get(t.Context(), key, config)); err != nil {
		t.Fatal(err)
	}
	pod := deployment.Spec.Template.Spec
	mounted := pod.Volumes[0].ConfigMap.Items[0].Key
	return map[string]string{
		"image": pod.Containers[0].Image, "mounted": mounted, "corefile": config.Data[mounted], "zones": config.Data["zones"],
	}
}

// TestInterruptedMigration verifies that the update of CoreDNS continues after an interruption at any write, and ends
// with the same result. Users' keys of the ConfigMap stay.
func TestInterruptedMigration(t *testing.T) {
	const image = "registry.k8s.io/coredns/coredns:"
	whole := newAddonsCluster(dnsObjects(image+"v1.6.9", oldCorefile)...)
	update := func(c *addonsCluster) error {
		return c.of(nil).UpdateAddons(t.Context(), addonsPlane("v1.7.0"))
	}
	if err := update(whole); err != nil {
		t.Fatal(err)
	}
	want := whole.state(t)
	if want["image"] != image+"v1.7.0" || want["mounted"] != corefileKey || want["zones"] != "kept" ||
		strings.Contains(want["corefile"], "upstream") || whole.writes < 3 {
		t.Fatalf("after %d writes: %q", whole.writes, want)
	}
	for failing := 1; failing <= whole.writes; failing++ {
		c := newAddonsCluster(dnsObjects(image+"v1.6.9", oldCorefile)...)
		c.failing = failing
		if err := update(c); !errors.Is(err, errInterrupted) {
			t.Errorf("write %d: error %v", failing, err)
		}
		// While Pods of the old version run, they read a Corefile that they understand.
		if state := c.state(t); state["image"] == image+"v1.6.9" && state["corefile"] != oldCorefile {
			t.Errorf("write %d: the old version reads\n%s", failing, state["corefile"])
		}
		if err := update(c); err != nil {
			t.Errorf("write %d: %v", failing, err)
		}
		if diff := cmp.Diff(want, c.state(t)); diff != "" {
			t.Errorf("write %d (-want +got):\n%s", failing, diff)
		}
	}
}

func TestAddons(t *testing.T) {
	const proxy, dns = "registry.k8s.io/kube-proxy:", "registry.k8s.io/coredns/coredns:"
	unmanaged := addonsPlane("v1.12.1")
	unmanaged.Addons = ports.Addons{}
	disabled := addonsPlane("v1.12.1")
	disabled.Config.KubeProxy.Disabled, disabled.Config.CoreDNS.Disabled = true, true
	mirror := addonsPlane("")
	mirror.Config.ImageRepository = "mirror.example/k8s"
	official := addonsPlane("")
	official.Config.ImageRepository = "registry.k8s.io/"
	cases := map[string]struct {
		reason  string
		objects []client.Object
		plane   ports.ControlPlane
		// proxy is the image of kube-proxy afterwards, if it exists.
		proxy string
		// current means that nothing is to be done.
		current, refused bool
	}{
		"outdated": {
			objects: []client.Object{proxySet(proxy + "v1.35.1")}, plane: addonsPlane(""), proxy: proxy + "v1.36.3",
		},
		"current":   {objects: []client.Object{proxySet(proxy + "v1.36.3")}, plane: addonsPlane(""), current: true},
		"missing":   {reason: "another CNI replaces it", plane: addonsPlane("v1.12.1"), current: true},
		"unmanaged": {objects: []client.Object{proxySet(proxy + "v1.35.1")}, plane: unmanaged, current: true},
		"disabled":  {objects: []client.Object{proxySet(proxy + "v1.35.1")}, plane: disabled, current: true},
		"mirror": {
			objects: []client.Object{proxySet(proxy + "v1.35.1")}, plane: mirror, proxy: "mirror.example/k8s/kube-proxy:v1.36.3",
		},
		"digest": {
			reason:  "the user pinned the image, and must learn that it stays",
			objects: []client.Object{proxySet(proxy + "v1.35.1@sha256:00")}, plane: addonsPlane(""), refused: true,
		},
		"no tag of CoreDNS": {
			reason:  "kubeadm's image does not follow the version",
			objects: dnsObjects(dns+"v1.12.0", oldCorefile), plane: addonsPlane(""), current: true,
		},
		"official repository": {
			reason:  "registry.k8s.io/coredns:v1.12.0 does not exist",
			objects: dnsObjects(dns+"v1.12.0", oldCorefile), plane: official, current: true,
		},
		"older CoreDNS": {
			reason:  "the Corefile may have newer options",
			objects: dnsObjects(dns+"v1.12.0", oldCorefile), plane: addonsPlane("v1.11.3"), refused: true,
		},
		"not a Corefile": {
			reason:  "the library panics",
			objects: dnsObjects(dns+"v1.6.9", "{\na\n}"), plane: addonsPlane("v1.7.0"), refused: true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newAddonsCluster(tc.objects...)
			if current, err := addonsCurrent(t.Context(), c, tc.plane); err != nil || current != tc.current {
				t.Errorf("current: %t, error %v: %s", current, err, tc.reason)
			}
			err := c.of(nil).UpdateAddons(t.Context(), tc.plane)
			if (err != nil) != tc.refused || (tc.current || tc.refused) && c.writes > 0 {
				t.Errorf("%d writes, error %v: %s", c.writes, err, tc.reason)
			}
			if tc.proxy == "" {
				return
			}
			set := &appsv1.DaemonSet{}
			if err := c.Get(t.Context(), client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: kubeProxy}, set); err != nil {
				t.Fatal(err)
			}
			if image := set.Spec.Template.Spec.Containers[1].Image; image != tc.proxy {
				t.Errorf("the image is %s, want %s", image, tc.proxy)
			}
		})
	}
}
