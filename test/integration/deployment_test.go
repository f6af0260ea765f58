package integration_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

// restricted is a namespace that takes Pods of the Pod Security Standard restricted alone.
const restricted = "restricted"

// TestControllerIsRestricted has the API server hold the controller's Pod, with the endpoint and without, to the Pod
// Security Standard restricted; and a privileged one, which it refuses.
func TestControllerIsRestricted(t *testing.T) {
	t.Parallel()
	e := shared()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: restricted, Labels: map[string]string{"pod-security.kubernetes.io/enforce": restricted},
	}}
	if err := e.Client.Create(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"config/default", "config/default-endpoint"} {
		template := podTemplate(t, folder)
		account := &corev1.ServiceAccount{}
		account.Namespace, account.Name = restricted, template.Spec.ServiceAccountName
		if err := client.IgnoreAlreadyExists(e.Client.Create(t.Context(), account)); err != nil {
			t.Fatal(err)
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: restricted, Name: "controller"}, Spec: template.Spec}
		if err := e.Client.Create(t.Context(), pod.DeepCopy(), client.DryRunAll); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		pod.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = nil
		if err := e.Client.Create(t.Context(), pod, client.DryRunAll); err == nil {
			t.Errorf("%s: a Pod that may get more privileges is taken", folder)
		}
	}
}

// podTemplate returns that of the Deployment that a folder of config has.
func podTemplate(t *testing.T, folder string) corev1.PodTemplateSpec {
	t.Helper()
	objects, err := controlplane.Manifests(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var d appsv1.Deployment
	for _, o := range objects {
		if o.GetKind() == "Deployment" {
			convertTo(t, o, &d)
		}
	}
	return d.Spec.Template
}

func convertTo(t *testing.T, o *unstructured.Unstructured, into any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, into); err != nil {
		t.Fatal(err)
	}
}
