package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
)

// observed is what the benchmark reads of a config of either provider. It reads little, because the clock runs.
type observed struct {
	metav1.TypeMeta `json:",inline"`

	Metadata struct {
		Namespace       string            `json:"namespace"`
		Name            string            `json:"name"`
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Status struct {
		Initialization struct {
			DataSecretCreated bool `json:"dataSecretCreated"`
		} `json:"initialization"`
	} `json:"status"`
}

// GetObjectMeta returns what an informer needs.
func (o *observed) GetObjectMeta() metav1.Object {
	return &metav1.ObjectMeta{
		Namespace: o.Metadata.Namespace, Name: o.Metadata.Name,
		ResourceVersion: o.Metadata.ResourceVersion, Annotations: o.Metadata.Annotations,
	}
}

// DeepCopyObject returns the object: nothing changes one.
func (o *observed) DeepCopyObject() runtime.Object { return o }

type observedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []observed `json:"items"`
}

// DeepCopyObject returns the list: nothing changes one.
func (l *observedList) DeepCopyObject() runtime.Object { return l }

// configClient returns a client for the provider's configs, which it reads as observed ones.
func (s *scene) configClient() (*rest.RESTClient, string, error) {
	kind := s.provider.config.GroupVersionKind()
	version := kind.GroupVersion()
	mapping, err := s.Client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, "", err
	}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(kind, &observed{})
	scheme.AddKnownTypeWithName(version.WithKind(kind.Kind+"List"), &observedList{})
	metav1.AddToGroupVersion(scheme, version)
	config := rest.CopyConfig(s.Config)
	config.APIPath, config.GroupVersion = "/apis", &version
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	c, err := rest.RESTClientFor(config)
	return c, mapping.Resource.Resource, err
}

// watchReady removes the configs that are ready until the context ends. When a busy API server ends the watch, the
// informer continues where it stopped. A new watch would begin with all configs, and be ended again before their end.
func (s *scene) watchReady(ctx context.Context, u *unready) error {
	c, resource, err := s.configClient()
	if err != nil {
		return err
	}
	configs := toolscache.NewListWatchFromClient(c, resource, namespace, fields.Everything())
	informer := toolscache.NewSharedIndexInformer(configs, &observed{}, 0, nil)
	see := func(object any) {
		if config, ok := object.(*observed); ok && config.Status.Initialization.DataSecretCreated {
			u.remove(config.Metadata.Name)
		}
	}
	if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: see, UpdateFunc: func(_, object any) { see(object) },
	}); err != nil {
		return err
	}
	go informer.RunWithContext(ctx)
	return nil
}
