package clusterctl_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const endpointHost = "MACHINEADM_ENDPOINT_HOST"

// withEndpoint returns the release with the configuration that installs the endpoint for machines, too.
func (r repository) withEndpoint() repository {
	r.config = filepath.Join(filepath.Dir(r.config), "clusterctl-endpoint.yaml")
	return r
}

func find(t *testing.T, objects []*unstructured.Unstructured, kind, name string) *unstructured.Unstructured {
	t.Helper()
	at := slices.IndexFunc(objects, func(o *unstructured.Unstructured) bool {
		return o.GetKind() == kind && o.GetName() == name
	})
	if at < 0 {
		t.Fatalf("there is no %s %s", kind, name)
	}
	return objects[at]
}

// manager returns the controller's Deployment.
func manager(t *testing.T, objects []*unstructured.Unstructured) appsv1.Deployment {
	t.Helper()
	return deployment(t, objects, "machineadm-controller-manager")
}

// deployment returns the Deployment of the name.
func deployment(t *testing.T, objects []*unstructured.Unstructured, name string) appsv1.Deployment {
	t.Helper()
	var d appsv1.Deployment
	o := find(t, objects, "Deployment", name)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestEndpointWithRealClusterctl has clusterctl install the endpoint for machines: whole with a host, and not without
// one.
func TestEndpointWithRealClusterctl(t *testing.T) {
	r := release(t)
	args := []string{"generate", "provider", "--bootstrap", "machineadm:" + version}
	plain := decode(t, r.run(t, args...))
	serves := func(argument string) bool { return strings.HasPrefix(argument, "--machine-endpoint") }
	if slices.ContainsFunc(manager(t, plain).Spec.Template.Spec.Containers[0].Args, serves) {
		t.Error("the endpoint is installed without anybody's asking")
	}
	r = r.withEndpoint()
	if _, stderr, err := r.output(t, nil, args...); err == nil || !strings.Contains(stderr, endpointHost) {
		t.Errorf("without a host: error %v\n%s", err, stderr)
	}
	out, stderr, err := r.output(t, []string{endpointHost + "=machineadm.example"}, args...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	objects := decode(t, out)
	whole, stderr, err := r.output(t, []string{endpointHost + "=machineadm.example"}, "generate", "yaml", "--from",
		filepath.Join(r.dir, "bootstrap-components-endpoint.yaml"))
	if err != nil || strings.Contains(string(whole), "${") || len(decode(t, whole)) < len(plain) {
		t.Errorf("a user who fills in the variables gets: %v\n%s", err, stderr)
	}
	for _, o := range plain {
		find(t, objects, o.GetKind(), o.GetName())
	}
	find(t, objects, "Service", "machineadm-endpoint")
	names, _, err := unstructured.NestedStringSlice(find(t, objects, "Certificate", "machineadm-endpoint").Object,
		"spec", "dnsNames")
	if diff := cmp.Diff([]string{"machineadm.example"}, names); diff != "" || err != nil {
		t.Errorf("the certificate's names: %v (-want +got):\n%s", err, diff)
	}
	container := manager(t, objects).Spec.Template.Spec.Containers[0]
	if container.Image != "ghcr.io/machineadm/machineadm-controller:"+version {
		t.Errorf("the image is %s", container.Image)
	}
	for _, want := range []string{
		"--machine-endpoint-bind-address=:9444", "--machine-endpoint-url=https://machineadm.example:9444",
		"--machine-endpoint-cert-dir=/etc/machineadm/endpoint", "--agent-dir=/agents",
	} {
		if !slices.Contains(container.Args, want) {
			t.Errorf("%s is not among %v", want, container.Args)
		}
	}
}

// TestHandshakesAreCheap holds that the endpoint's key is not one of RSA, with which every client makes the controller
// compute for long.
func TestHandshakesAreCheap(t *testing.T) {
	for _, o := range manifests(t, "../../config/endpoint/certificate.yaml") {
		algorithm, _, err := unstructured.NestedString(o.Object, "spec", "privateKey", "algorithm")
		if o.GetKind() == "Certificate" && (err != nil || algorithm != "ECDSA") {
			t.Errorf("%s has a key of %q, %v", o.GetName(), algorithm, err)
		}
	}
}
