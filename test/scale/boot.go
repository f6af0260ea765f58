package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
