package clusterctl_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/machineadm/machineadm/test/nightly"
)

const (
	// worstObject is how much memory one object makes the controller allocate at most, and manyWorkers is what 2,000
	// workers took.
	worstObject = 256 << 20
	manyWorkers = 145 << 20
)

// components returns the objects of the release's components: of the plain ones for "", and of those with the endpoint
// for "-endpoint".
func components(t *testing.T, r repository, variant string) []*unstructured.Unstructured {
	t.Helper()
	return manifests(t, filepath.Join(r.dir, "bootstrap-components"+variant+".yaml"))
}

func manifests(t *testing.T, path string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

// TestControllerIsLimited holds that the controller cannot take its node along, and that Go knows the limit before the
// kernel enforces it.
func TestControllerIsLimited(t *testing.T) {
	r := rendered(t)
	for _, variant := range []string{"", "-endpoint"} {
		pod := manager(t, components(t, r, variant)).Spec.Template.Spec
		for _, c := range pod.Containers {
			for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
				if request.Sign() <= 0 || limit.Cmp(request) < 0 {
					t.Errorf("%q, container %s: %s has the request %v and the limit %v", variant, c.Name, name, &request, &limit)
				}
			}
			heap, outside := goMemoryLimit(t, c), inMemory(t, pod)
			if limit := c.Resources.Limits.Memory().Value(); heap+outside > limit-limit/10 {
				t.Errorf("%q: GOMEMLIMIT and volumes in memory are %d bytes: more than 90%% of the limit %d",
					variant, heap+outside, limit)
			}
			if least := int64(2*worstObject + manyWorkers); heap < least {
				t.Errorf("%q: GOMEMLIMIT is %d; two objects at once beside 2,000 workers need %d", variant, heap, least)
			}
		}
	}
}

// goMemoryLimit returns the container's GOMEMLIMIT in bytes; without one nothing fits.
func goMemoryLimit(t *testing.T, c corev1.Container) int64 {
	t.Helper()
	at := slices.IndexFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == "GOMEMLIMIT" })
	if at < 0 {
		t.Fatalf("container %s has no GOMEMLIMIT", c.Name)
	}
	// Go's MiB are Kubernetes' Mi.
	q, err := resource.ParseQuantity(strings.TrimSuffix(c.Env[at].Value, "B"))
	if err != nil {
		t.Fatalf("GOMEMLIMIT %q: %v", c.Env[at].Value, err)
	}
	return q.Value()
}

// inMemory returns how many bytes the volumes in memory may take, and reports each emptyDir without a limit.
func inMemory(t *testing.T, pod corev1.PodSpec) (bytes int64) {
	t.Helper()
	for _, v := range pod.Volumes {
		switch {
		case v.EmptyDir == nil:
		case v.EmptyDir.SizeLimit == nil:
			t.Errorf("the emptyDir %s has no sizeLimit", v.Name)
		case v.EmptyDir.Medium == corev1.StorageMediumMemory:
			bytes += v.EmptyDir.SizeLimit.Value()
		}
	}
	return bytes
}

// TestControllerReachesNoMetadataService evaluates the NetworkPolicies of the release for connections that the
// controllers of the bootstrap provider and the control plane provider make.
func TestControllerReachesNoMetadataService(t *testing.T) {
	r := rendered(t)
	planes := filepath.Join(filepath.Dir(filepath.Dir(r.dir)), "control-plane-machineadm", version)
	objects := map[string][]*unstructured.Unstructured{
		r.dir: components(t, r, ""), planes: manifests(t, filepath.Join(planes, "control-plane-components.yaml")),
	}
	managers := map[string]appsv1.Deployment{
		r.dir:  manager(t, objects[r.dir]),
		planes: deployment(t, objects[planes], "machineadm-control-plane-controller-manager"),
	}
	cases := map[string]struct {
		reason         string
		protocol       corev1.Protocol
		to             string
		allowed, byAWS bool
	}{
		"AWS, GCP, Azure": {reason: "metadata", to: "169.254.169.254:80", byAWS: true},
		"AWS, IPv6":       {reason: "metadata", to: "[fd00:ec2::254]:80", byAWS: true},
		"EKS":             {reason: "Pod Identity", to: "169.254.170.23:80", byAWS: true},
		"EKS, IPv6":       {reason: "Pod Identity", to: "[fd00:ec2::23]:80", byAWS: true},
		"ECS":             {reason: "the role of a task", to: "169.254.170.2:80"},
		"GKE":             {reason: "workload identity, which nothing here uses", to: "169.254.169.252:988"},
		"GCP, IPv6":       {reason: "metadata", to: "[fd20:ce::254]:80"},
		"Alibaba, IPv6":   {reason: "metadata", to: "[fd00:100::100:200]:80"},
		"Oracle, IPv6":    {reason: "metadata", to: "[fd00:c1::a9fe:a9fe]:80"},
		"Akamai, IPv6":    {reason: "metadata", to: "[fd00:a9fe:a9fe::1]:80"},
		"Scaleway, IPv6":  {reason: "metadata", to: "[fd00:42::42]:80"},
		"Scaleway":        {reason: "metadata", to: "169.254.42.42:80"},
		"OpenStack, IPv6": {reason: "metadata", to: "[fe80::a9fe:a9fe]:80"},
		"NAT64":           {reason: "it leads to 169.254.169.254", to: "[64:ff9b::a9fe:a9fe]:80"},
		"Azure":           {reason: "WireServer", to: "168.63.129.16:80"},
		"Azure's plugin":  {reason: "HostGAPlugin", to: "168.63.129.16:32526"},
		"Alibaba Cloud":   {reason: "metadata", to: "100.100.100.200:80"},
		"Oracle":          {reason: "metadata", to: "192.0.0.192:80"},
		"link-local":      {reason: "whatever is on the node's link", to: "[fe80::1]:80"},
		"HTTP/3":          {reason: "nothing speaks it", protocol: corev1.ProtocolUDP, to: "192.0.2.1:443"},
		"DNS": {
			reason:   "the cluster's",
			protocol: corev1.ProtocolUDP, to: "10.96.0.10:53", allowed: true, byAWS: true,
		},
		"long answers": {reason: "DNS changes to TCP", to: "10.96.0.10:53", allowed: true, byAWS: true},
		"DNS of the node": {
			reason:   "NodeLocal DNSCache",
			protocol: corev1.ProtocolUDP, to: "169.254.20.10:53", allowed: true, byAWS: true,
		},
		"API server": {reason: "the management cluster's", to: "10.96.0.1:443", allowed: true, byAWS: true},
		"workload":   {reason: "a workload cluster's API server", to: "203.0.113.7:6443", allowed: true, byAWS: true},
		"other port": {reason: "an API server at another port", to: "203.0.113.7:16443", allowed: true, byAWS: true},
		"IPv6": {
			reason: "a workload cluster's API server",
			to:     "[2001:db8::7]:16443", allowed: true, byAWS: true,
		},
		"storage": {reason: "a server in the same network", to: "192.168.7.7:9000", allowed: true, byAWS: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			protocol := corev1.ProtocolTCP
			if c.protocol != "" {
				protocol = c.protocol
			}
			to := netip.MustParseAddrPort(c.to)
			for dir, manager := range managers {
				policies := ofManager(t, manager, objects[dir])
				if got := allowsEgress(policies, protocol, to); got != c.allowed {
					t.Errorf("%s: %s: allowed is %v", manager.Name, c.reason, got)
				}
				policies = append(policies, ofManager(t, manager, manifests(t, filepath.Join(dir, "aws-identity.yaml")))...)
				if got := allowsEgress(policies, protocol, to); got != c.byAWS {
					t.Errorf("%s: %s: with AWS's identity, allowed is %v", manager.Name, c.reason, got)
				}
			}
		})
	}
}

// TestControllerIsReachedAtItsPorts holds that strangers reach the server for machines, where there is one, and
// nothing else.
func TestControllerIsReachedAtItsPorts(t *testing.T) {
	r := rendered(t)
	for variant, want := range map[string][]string{
		"": {"pods metrics"}, "-endpoint": {"pods metrics", "anyone machines"},
	} {
		objects := components(t, r, variant)
		named := map[string]bool{}
		for _, port := range manager(t, objects).Spec.Template.Spec.Containers[0].Ports {
			named[port.Name] = true
		}
		var got []string
		for _, p := range ofManager(t, manager(t, objects), objects) {
			if !slices.Contains(p.Spec.PolicyTypes, networkingv1.PolicyTypeIngress) {
				t.Errorf("%q: %s does not limit ingress", variant, p.Name)
			}
			for _, rule := range p.Spec.Ingress {
				from := "anyone"
				if len(rule.From) > 0 {
					from = "pods"
				}
				for _, port := range rule.Ports {
					if !named[port.Port.StrVal] {
						t.Errorf("%q: the container has no port %v", variant, port.Port)
					}
					got = append(got, from+" "+port.Port.StrVal)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", variant, got, want)
		}
	}
}

// ofManager returns the NetworkPolicies among the objects. Each has to select the controller's Pod, and to deny
// the egress that no rule allows.
func ofManager(t *testing.T, manager appsv1.Deployment, objects []*unstructured.Unstructured,
) []networkingv1.NetworkPolicy {
	t.Helper()
	labels := manager.Spec.Template.Labels
	var all []networkingv1.NetworkPolicy
	for _, o := range objects {
		if o.GetKind() != "NetworkPolicy" {
			continue
		}
		var p networkingv1.NetworkPolicy
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &p); err != nil {
			t.Fatal(err)
		}
		for key, value := range p.Spec.PodSelector.MatchLabels {
			if labels[key] != value || o.GetNamespace() != manager.Namespace {
				t.Errorf("%s/%s does not select the controller: %s=%s", o.GetNamespace(), o.GetName(), key, value)
			}
		}
		if !slices.Contains(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress) {
			t.Errorf("%s does not limit egress", o.GetName())
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("there is no NetworkPolicy")
	}
	return all
}

// allowsEgress reports whether a rule allows a connection to an address outside of the cluster.
func allowsEgress(policies []networkingv1.NetworkPolicy, protocol corev1.Protocol, to netip.AddrPort) bool {
	for _, p := range policies {
		for _, rule := range p.Spec.Egress {
			port := len(rule.Ports) == 0 || slices.ContainsFunc(rule.Ports, func(one networkingv1.NetworkPolicyPort) bool {
				return *one.Protocol == protocol && (one.Port == nil || one.Port.IntValue() == int(to.Port()))
			})
			if port && (len(rule.To) == 0 || slices.ContainsFunc(rule.To, func(one networkingv1.NetworkPolicyPeer) bool {
				return one.IPBlock != nil && holds(*one.IPBlock, to.Addr())
			})) {
				return true
			}
		}
	}
	return false
}

func holds(block networkingv1.IPBlock, a netip.Addr) bool {
	contains := func(cidr string) bool { return netip.MustParsePrefix(cidr).Contains(a) }
	return contains(block.CIDR) && !slices.ContainsFunc(block.Except, contains)
}

// TestComponentsNameTheImage holds that the components name an image that was made here by its digest.
func TestComponentsNameTheImage(t *testing.T) {
	digest, other := "sha256:"+strings.Repeat("0a", 32), "sha256:"+strings.Repeat("0b", 32)
	index := `{"schemaVersion":2,"manifests":[{"digest":"` + digest +
		`","annotations":{"org.opencontainers.image.ref.name":"` + version + `"}}]}`
	cases := map[string]struct{ reason, index, image, want string }{
		"neither": {reason: "the default", want: "ghcr.io/machineadm/machineadm-controller:" + version},
		"tag": {
			reason: "as given",
			image:  "registry.example:5000/controller:v1", want: "registry.example:5000/controller:v1",
		},
		"no tag": {
			reason: "the version is the tag",
			image:  "registry.example:5000/controller", want: "registry.example:5000/controller:" + version,
		},
		"digest": {
			reason: "as given",
			image:  "registry.example:5000/controller@" + other, want: "registry.example:5000/controller@" + other,
		},
		"made": {
			reason: "the tag may be moved",
			index:  index, image: "registry.example:5000/controller:v1", want: "registry.example:5000/controller@" + digest,
		},
		"made, digest": {
			reason: "the user knows better",
			index:  index, image: "registry.example/controller@" + other, want: "registry.example/controller@" + other,
		},
		"other version": {
			reason: "it is another image",
			index:  strings.ReplaceAll(index, version, "v0.0.9"), image: "a/b:v1", want: "a/b:v1",
		},
	}
	for name, c := range nightly.Cases(t, cases, "neither", "made") {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			if c.index != "" {
				if err := os.MkdirAll(filepath.Join(out, "image"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(out, "image", "index.json"), []byte(c.index), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := renderedTo(t, out, c.image)
			if got := manager(t, components(t, r, "")).Spec.Template.Spec.Containers[0].Image; got != c.want {
				t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
			}
		})
	}
}
