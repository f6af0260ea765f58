package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/machineadm/machineadm/test/canary"
)

var (
	// ErrSecretSeen is that something shows a planted secret, or one that a manager has made.
	ErrSecretSeen = errors.New("a secret is seen")
	// ErrNotSearched is that the context has ended the servers before they were searched.
	ErrNotSearched = errors.New("the control plane has ended before anybody searched it for secrets")
)

const (
	// searchTimeout is how long the search may take that ends a control plane, on a busy machine.
	searchTimeout = 10 * time.Minute
	// concurrentLists is how many kinds are searched at once.
	concurrentLists = 16
	// searched is how many of the Secrets' own secrets are searched for. All are made by the same few lines of code, and a
	// run with thousands of machines is not to wait for the rest.
	searched = 100
	// kubeadmGroup is that of the kubeadm provider, which writes tokens into the spec of its objects.
	kubeadmGroup = "bootstrap.cluster.x-k8s.io"
)

// Search looks for secrets wherever a process has spoken: in the logs of all processes but etcd, in the metrics that
// each had when it was stopped, in the audit log, and in all objects but Secrets, their events, conditions and statuses
// included. It returns ErrSecretSeen with all places.
func (c *ControlPlane) Search(ctx context.Context) error {
	secrets, err := c.secrets(ctx)
	if err != nil {
		return err
	}
	search, err := canary.For(secrets...)
	if err != nil {
		return err
	}
	seen, err := c.searchFiles(search)
	if err != nil {
		return err
	}
	inObjects, err := c.searchObjects(ctx, search)
	if err != nil {
		return err
	}
	if seen = append(seen, inObjects...); len(seen) > 0 {
		return fmt.Errorf("%w: %s", ErrSecretSeen, strings.Join(seen, "\n"))
	}
	return nil
}

// secrets returns what the Secrets of the cluster hold by its form: halves of tokens, and lines of private keys.
func (c *ControlPlane) secrets(ctx context.Context) ([]string, error) {
	var list corev1.SecretList
	if err := c.Client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("list secrets: %w", err)
	}
	var secrets []string
	for _, s := range list.Items {
		if half := s.Data["token-secret"]; len(half) > 0 {
			secrets = append(secrets, string(half))
		}
		for _, value := range s.Data {
			secrets = append(secrets, canary.SecretsIn(string(value))...)
		}
	}
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	return secrets[:min(len(secrets), searched)], nil
}

func (c *ControlPlane) searchFiles(search canary.Search) ([]string, error) {
	var seen []string
	for _, pattern := range []string{"*.log", "*.metrics"} {
		files, err := filepath.Glob(filepath.Join(c.Dir, pattern))
		if err != nil {
			return nil, fmt.Errorf("find logs: %w", err)
		}
		for _, f := range files {
			found, err := search.Files(f)
			if err != nil {
				return nil, fmt.Errorf("search logs: %w", err)
			}
			seen = append(seen, found...)
		}
	}
	return seen, nil
}

func (c *ControlPlane) searchObjects(ctx context.Context, search canary.Search) ([]string, error) {
	kinds, err := c.kinds()
	if err != nil {
		return nil, err
	}
	// The API server prepares each kind at the first request for it. This takes longer than the search.
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(concurrentLists)
	seen := make([][]string, len(kinds))
	for i, kind := range kinds {
		group.Go(func() (err error) {
			seen[i], err = c.searchKind(ctx, search, kind)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(seen...), nil
}

// searchKind searches the objects of a kind.
func (c *ControlPlane) searchKind(ctx context.Context, search canary.Search, kind schema.GroupVersionKind,
) (seen []string, err error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind)
	if err := c.Client.List(ctx, list); err != nil {
		return nil, fmt.Errorf("list %s: %w", kind.Kind, err)
	}
	for _, object := range list.Items {
		text, err := json.Marshal(object.Object)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", kind.Kind, err)
		}
		for _, sighting := range search.In(string(text)) {
			seen = append(seen, fmt.Sprintf("%s %s/%s shows %s", kind.Kind, object.GetNamespace(), object.GetName(), sighting))
		}
	}
	return seen, nil
}

// kinds returns the kinds whose objects can be listed and may not hold secrets.
func (c *ControlPlane) kinds() ([]schema.GroupVersionKind, error) {
	client, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return nil, fmt.Errorf("discover kinds: %w", err)
	}
	lists, err := client.ServerPreferredResources()
	if err != nil {
		return nil, fmt.Errorf("discover kinds: %w", err)
	}
	var kinds []schema.GroupVersionKind
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, fmt.Errorf("discover kinds: %w", err)
		}
		for _, r := range list.APIResources {
			if maySearch(version, r) {
				kinds = append(kinds, version.WithKind(r.Kind))
			}
		}
	}
	return kinds, nil
}

func maySearch(version schema.GroupVersion, r metav1.APIResource) bool {
	isSecret := version.Group == "" && r.Kind == "Secret"
	return slices.Contains(r.Verbs, "list") && !isSecret && version.Group != kubeadmGroup
}

// keepMetrics writes the process's metrics beside its log, since they cannot be read after it has ended.
func (p *Process) keepMetrics() error {
	if p.metrics == "" || !p.Running() {
		return nil
	}
	text, err := p.Metrics(context.Background())
	if err != nil {
		return err
	}
	if err := os.WriteFile(strings.TrimSuffix(p.Log, ".log")+".metrics", text, 0o600); err != nil {
		return fmt.Errorf("keep metrics: %w", err)
	}
	return nil
}
