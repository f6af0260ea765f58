package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// unready are the names of the configs that are not ready.
type unready struct {
	mutex sync.Mutex
	names map[string]bool
	all   int
}

func (u *unready) remove(name string) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	delete(u.names, name)
}

// missing returns how many configs are not ready, or an empty text.
func (u *unready) missing() string {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if len(u.names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d configs are not ready", len(u.names), u.all)
}

// example returns the name of a config that is not ready.
func (u *unready) example() (name string) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	for name = range u.names {
		break
	}
	return name
}

// boot makes the configs of machines[from:to] and waits until they are ready.
func (s *scene) boot(ctx context.Context, from, to int) error {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	u := &unready{names: map[string]bool{}, all: to - from}
	for _, m := range s.machines[from:to] {
		u.names[m.Name] = true
	}
	if err := s.watchReady(watching, u); err != nil {
		return fmt.Errorf("watch configs: %w", err)
	}
	if err := s.makeConfigs(ctx, from, to); err != nil {
		return fmt.Errorf("%w; %s", err, u.missing())
	}
	err := await(ctx, 10*time.Millisecond, stall, func(context.Context) (string, error) { return u.missing(), nil })
	if err != nil {
		return fmt.Errorf("%w, such as %s", err, s.describe(u.example()))
	}
	return nil
}

// watchReady removes the configs that are ready until the context ends. When a busy API server ends the watch, the
// informer continues where it stopped. A new watch would begin with all configs, and be ended again before their end.
func (s *scene) watchReady(ctx context.Context, u *unready) error {
	kind := s.provider.config.GroupVersionKind()
	mapping, err := s.Client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	c, err := dynamic.NewForConfig(s.Config)
	if err != nil {
		return err
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(c, mapping.Resource, namespace, 0, nil, nil).Informer()
	if err := informer.SetTransform(onlyReadiness); err != nil {
		return err
	}
	see := func(object any) {
		config, ok := object.(*unstructured.Unstructured)
		if !ok {
			return
		}
		if ready, _, _ := unstructured.NestedBool(config.Object, readiness...); ready {
			u.remove(config.GetName())
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

// readiness is the field of a config that is true when its data is there.
var readiness = []string{"status", "initialization", "dataSecretCreated"}

// onlyReadiness returns a config with its name and its readiness: the informer keeps all configs.
func onlyReadiness(object any) (any, error) {
	config, ok := object.(*unstructured.Unstructured)
	if !ok {
		return object, nil
	}
	ready, _, err := unstructured.NestedBool(config.Object, readiness...)
	if err != nil {
		return nil, err
	}
	small := &unstructured.Unstructured{Object: map[string]any{}}
	small.SetGroupVersionKind(config.GroupVersionKind())
	small.SetNamespace(config.GetNamespace())
	small.SetName(config.GetName())
	small.SetResourceVersion(config.GetResourceVersion())
	return small, unstructured.SetNestedField(small.Object, ready, readiness...)
}

// describe returns the conditions of a config, for an error.
func (s *scene) describe(name string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	config := &unstructured.Unstructured{}
	config.SetGroupVersionKind(s.provider.config.GroupVersionKind())
	if err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, config); err != nil {
		return fmt.Sprintf("%s: %s", name, err)
	}
	conditions, _, _ := unstructured.NestedSlice(config.Object, "status", "conditions")
	return fmt.Sprintf("%s with the conditions %v", name, conditions)
}
