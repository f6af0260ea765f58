package workload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/ports"
)

// Clusters connects to workload clusters. Cluster API's ClusterCache implements it.
type Clusters interface {
	// GetReader returns the cache of what is watched: control plane nodes and their static Pods.
	GetReader(ctx context.Context, cluster client.ObjectKey) (client.Reader, error)
	GetUncachedClient(ctx context.Context, cluster client.ObjectKey) (client.Client, error)
	GetRESTConfig(ctx context.Context, cluster client.ObjectKey) (*rest.Config, error)
}

// maxResponse limits one response of an API server in bytes, after decompression.
const maxResponse = 16 << 20

// connectLimited returns a client whose responses are limited.
func connectLimited(ctx context.Context, clusters Clusters, key client.ObjectKey) (client.Client, error) {
	api, err := clusters.GetUncachedClient(ctx, key)
	if err != nil {
		return nil, connectionError(err)
	}
	config, err := clusters.GetRESTConfig(ctx, key)
	if err != nil {
		return nil, connectionError(err)
	}
	limited := rest.CopyConfig(config)
	limited.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil {
				response.Body = &limitedBody{ReadCloser: response.Body, left: maxResponse}
			}
			return response, err
		})
	})
	c, err := client.New(limited, client.Options{Scheme: api.Scheme(), Mapper: api.RESTMapper()})
	if err != nil {
		return nil, connectionError(err)
	}
	return c, nil
}

// limitedBody is a body that fails after a number of bytes was read.
type limitedBody struct {
	io.ReadCloser
	left int
}

// Read reads at most the remaining bytes.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// clusterKey returns the key of the control plane's cluster.
func clusterKey(c ports.ControlPlane) ports.Key {
	return ports.Key{Namespace: c.Namespace, Name: c.ClusterName}
}

func connectionError(err error) error {
	if errors.Is(err, clustercache.ErrClusterNotConnected) {
		return ports.ErrUnreachable
	}
	return fmt.Errorf("connect to the cluster: %w", err)
}

// apiError classifies an error of the API server: it does not answer, it refuses, or another client was faster.
func apiError(operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case apierrors.IsConflict(err):
		return fmt.Errorf("%s: %w", operation, ports.ErrConflict)
	case kube.IsNoAnswer(err):
		return fmt.Errorf("%s: %w: %w", operation, ports.ErrUnreachable, err)
	case apierrors.IsForbidden(err), apierrors.IsInvalid(err), apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s %w: %w", operation, ports.ErrRefused, err)
	default:
		return fmt.Errorf("%s: %w", operation, err)
	}
}
