package tokens_test

import (
	"context"
	"errors"
	"testing"

	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/tokens"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

type clusters struct {
	client client.Client
	err    error
}

func (c clusters) GetUncachedClient(context.Context, client.ObjectKey) (client.Client, error) {
	return c.client, c.err
}

func TestTokensConform(t *testing.T) {
	portstest.Tokens(t, func(*testing.T) ports.Tokens {
		return tokens.New(clusters{client: fake.NewClientBuilder().Build()})
	})
}

func TestDisconnectedClusterIsUnreachable(t *testing.T) {
	disconnected := tokens.New(clusters{err: clustercache.ErrClusterNotConnected})
	err := disconnected.Create(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.BootstrapToken{ID: "abcdef"})
	if !errors.Is(err, ports.ErrUnreachable) {
		t.Errorf("error %v, want %v", err, ports.ErrUnreachable)
	}
}
