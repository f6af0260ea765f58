package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
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
	c, err := client.NewWithWatch(s.Config, client.Options{Scheme: s.Client.Scheme()})
	if err != nil {
		return fmt.Errorf("watch configs: %w", err)
	}
	u := &unready{names: map[string]bool{}, all: to - from}
	for _, m := range s.machines[from:to] {
		u.names[m.Name] = true
	}
	go s.watchReady(watching, c, u)
	if err := s.makeConfigs(ctx, from, to); err != nil {
		return fmt.Errorf("%w; %s", err, u.missing())
	}
	err = await(ctx, 10*time.Millisecond, stall, func(context.Context) (string, error) { return u.missing(), nil })
	if err != nil {
		return fmt.Errorf("%w, such as %s", err, s.describe(u.example()))
	}
	return nil
}

// watchReady removes the configs that are ready until the context ends. The API server ends the watch of a client that
// falls behind, and does not begin one while it is busy; the next watch begins with all configs.
func (s *scene) watchReady(ctx context.Context, c client.WithWatch, u *unready) {
	for ctx.Err() == nil {
		configs := &unstructured.UnstructuredList{}
		configs.SetGroupVersionKind(s.provider.config.GroupVersionKind())
		watcher, err := c.Watch(ctx, configs, client.InNamespace(namespace))
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		follow(watcher, u)
		watcher.Stop()
	}
}

// follow removes the configs that are ready until the watch ends.
func follow(watcher watch.Interface, u *unready) {
	for event := range watcher.ResultChan() {
		config, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			return
		}
		if created, _, _ := unstructured.NestedBool(config.Object, "status", "initialization", "dataSecretCreated"); created {
			u.remove(config.GetName())
		}
	}
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
