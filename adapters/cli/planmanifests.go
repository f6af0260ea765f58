package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// planScheme returns the types of the objects of control planes.
func planScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(clusterv1.AddToScheme(s))
	utilruntime.Must(v1alpha1.AddToScheme(s))
	utilruntime.Must(controlplanev1.AddToScheme(s))
	return s
}

// manifestClient reads objects of files as a client reads those of a cluster. It writes nothing.
type manifestClient struct {
	client.Client
	scheme  *runtime.Scheme
	objects []*object
}

// newManifestClient returns a client for the objects. Control planes and Clusters that refer to each other get the
// metadata that a cluster would add.
func newManifestClient(objects []*object) (*manifestClient, error) {
	c := &manifestClient{scheme: planScheme(), objects: objects}
	clusters, err := c.clusters()
	for _, o := range objects {
		if o.isControlPlane() {
			complete(o, clusters[types.NamespacedName{Namespace: o.Namespace, Name: o.Name}])
		}
	}
	return c, err
}

// clusters returns the Clusters by the MachineadmControlPlane that they refer to.
func (c *manifestClient) clusters() (map[types.NamespacedName]*object, error) {
	clusters := map[types.NamespacedName]*object{}
	for _, o := range c.objects {
		if !o.is(clusterv1.GroupVersion.Group, clusterv1.ClusterKind) {
			continue
		}
		spec, err := decodeSpec[clusterv1.ClusterSpec](o)
		if err != nil {
			return nil, err
		}
		if spec.ControlPlaneRef.Kind == controlplanev1.Kind {
			clusters[types.NamespacedName{Namespace: o.Namespace, Name: spec.ControlPlaneRef.Name}] = o
		}
	}
	return clusters, nil
}

// hasSecrets reports whether the files contain Secrets.
func (c *manifestClient) hasSecrets() bool {
	for _, o := range c.objects {
		if o.is(corev1.GroupName, "Secret") {
			return true
		}
	}
	return false
}

// complete adds the UID and the owner reference of a control plane if they are missing. The Cluster is nil if none
// refers to it.
func complete(o, cluster *object) {
	if o.UID == "" {
		o.UID = types.UID(o.String())
	}
	if cluster != nil && len(o.OwnerReferences) == 0 {
		o.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: cluster.Name, UID: cluster.UID,
		}}
	}
}

// Scheme returns the types of the client.
func (c *manifestClient) Scheme() *runtime.Scheme { return c.scheme }

// Get decodes an object of the files.
func (c *manifestClient) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind, err := apiutil.GVKForObject(into, c.scheme)
	if err != nil {
		return err
	}
	if kind.Kind == "CustomResourceDefinition" {
		// Definitions are read for the version of a kind only. The version of an object does not matter here.
		into.SetLabels(map[string]string{clusterv1.GroupVersion.Group + "/v1beta2": "v1"})
		return nil
	}
	for _, o := range c.objects {
		if o.is(kind.Group, kind.Kind) && o.Name == key.Name && o.Namespace == key.Namespace {
			return o.into(into)
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: strings.ToLower(kind.Kind)}, key.Name)
}

// List decodes the objects of a kind that the options select.
func (c *manifestClient) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	var selected client.ListOptions
	selected.ApplyOptions(options)
	kind, err := apiutil.GVKForObject(into, c.scheme)
	if err != nil {
		return err
	}
	item := kind.GroupVersion().WithKind(strings.TrimSuffix(kind.Kind, "List"))
	var found []runtime.Object
	for _, o := range c.objects {
		if !o.is(item.Group, item.Kind) || selected.Namespace != "" && o.Namespace != selected.Namespace {
			continue
		}
		typed, err := c.scheme.New(item)
		if err != nil {
			return err
		}
		decoded, ok := typed.(client.Object)
		if !ok {
			return fmt.Errorf("%s is not an object", item)
		}
		if err := o.into(decoded); err != nil {
			return err
		}
		if selected.LabelSelector == nil || selected.LabelSelector.Matches(labels.Set(decoded.GetLabels())) {
			found = append(found, decoded)
		}
	}
	return meta.SetList(into, found)
}

// into decodes the object. The metadata is that of the object, which can be completed.
func (o *object) into(typed client.Object) error {
	if partial, ok := typed.(*metav1.PartialObjectMetadata); ok {
		o.PartialObjectMetadata.DeepCopyInto(partial)
		return nil
	}
	// Objects of a cluster have fields that are newer than the types, so unknown fields are no mistake here.
	if err := json.Unmarshal(o.json, typed); err != nil {
		return o.typeError(err)
	}
	typed.SetNamespace(o.Namespace)
	typed.SetUID(o.UID)
	typed.SetOwnerReferences(o.OwnerReferences)
	return nil
}
