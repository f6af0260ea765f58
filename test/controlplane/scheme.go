package controlplane

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// Scheme returns a scheme of Kubernetes's, Cluster API's and our own kinds.
func Scheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, v1alpha1.AddToScheme,
		infrastructurev1.AddToScheme, controlplanev1.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	return scheme
}
