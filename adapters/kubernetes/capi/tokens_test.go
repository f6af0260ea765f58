package capi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

type singleCluster struct {
	client client.Client
	err    error
}

func (c singleCluster) GetUncachedClient(context.Context, client.ObjectKey) (client.Client, error) {
	return c.client, c.err
}

func TestTokensConform(t *testing.T) {
	portstest.Tokens(t, func(*testing.T) ports.Tokens {
		return capi.NewTokens(singleCluster{client: fake.NewClientBuilder().Build()})
	})
}

func TestDisconnectedClusterIsUnreachable(t *testing.T) {
	disconnected := capi.NewTokens(singleCluster{err: clustercache.ErrClusterNotConnected})
	err := disconnected.Create(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.BootstrapToken{ID: "abcdef"})
	if !errors.Is(err, ports.ErrUnreachable) {
		t.Errorf("error %v, want %v", err, ports.ErrUnreachable)
	}
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	secrets := schema.GroupResource{Resource: "secrets"}
	cases := map[string]struct {
		reason string
		err    error
		silent bool
	}{
		"refused": {reason: "It is down, and not yet known to be.", err: &url.Error{
			Op: "Post", URL: "https://api",
			Err: io.EOF,
		}, silent: true},
		"timeout":    {reason: "It takes too long.", err: fmt.Errorf("wait: %w", context.DeadlineExceeded), silent: true},
		"overloaded": {reason: "It asks to come later.", err: apierrors.NewTooManyRequests("", 1), silent: true},
		"no etcd": {
			reason: "It is up and what is behind it is not.",
			err:    apierrors.NewInternalError(errors.New("etcdserver: leader changed")), silent: true,
		},
		"bad gateway": {
			reason: "The load balancer is up and it is not.",
			err:    apierrors.NewGenericServerResponse(http.StatusBadGateway, "post", secrets, "", "", 0, true), silent: true,
		},
		"forbidden": {
			reason: "It answers, and a user has to correct something.",
			err:    apierrors.NewForbidden(secrets, "", nil),
		},
		"not found": {reason: "It answers.", err: apierrors.NewNotFound(secrets, "")},
		"our shutdown": {reason: "We go, not the cluster.", err: &url.Error{
			Op: "Post", URL: "https://api",
			Err: context.Canceled,
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.NewClientBuilder().WithInterceptorFuncs(interceptor.Funcs{
				Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error { return tc.err },
			}).Build()
			err := capi.NewTokens(singleCluster{client: c}).Create(t.Context(), ports.Key{Namespace: "default", Name: "c1"},
				node.BootstrapToken{ID: "abcdef"})
			if got := errors.Is(err, ports.ErrNoAnswer); got != tc.silent || err == nil {
				t.Errorf("%s\nerror %v", tc.reason, err)
			}
		})
	}
}
