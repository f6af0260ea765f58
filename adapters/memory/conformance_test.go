package memory_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func TestHostConforms(t *testing.T) {
	portstest.Host(t, func(*testing.T) portstest.HostMachine {
		h := memory.NewHost()
		h.Web = map[string]string{}
		h.Fail[portstest.FailingCommand] = &ports.CommandError{
			Name: portstest.FailingCommand, ExitCode: 7,
			Output: []byte("why\n"),
		}
		return portstest.HostMachine{
			Host:  h,
			State: func(*testing.T) map[string]string { return h.State() },
			Serve: func(_ *testing.T, content string) string {
				h.Web["http://test/"+content[:1]] = content
				return "http://test/" + content[:1]
			},
		}
	})
}

func TestPreflightConforms(t *testing.T) {
	portstest.Preflight(t, &memory.Preflight{
		Programs: []string{"sh"},
		Units:    []string{"systemd-journald.service"}, FreeMiB: 100,
	})
}

func TestTokensConform(t *testing.T) {
	portstest.Tokens(t, func(*testing.T) ports.Tokens { return &memory.Tokens{} })
}

func TestCertificatesConform(t *testing.T) {
	portstest.Certificates(t, func(*testing.T) ports.Certificates { return &memory.Certificates{} })
}

func TestDataSecretsConform(t *testing.T) {
	portstest.DataSecrets(t, func(*testing.T) portstest.DataSecretStore {
		store := &memory.DataSecrets{}
		return portstest.DataSecretStore{DataSecrets: store, Orphan: store.Orphan}
	})
}

func TestInitLockConforms(t *testing.T) {
	portstest.InitLock(t, func(*testing.T) (ports.InitLock, func(string)) {
		gone := map[string]bool{}
		lock := &memory.InitLock{Gone: func(_ ports.Key, machine string) bool { return gone[machine] }}
		return lock, func(machine string) { gone[machine] = true }
	})
}

func TestTalosSecretsConform(t *testing.T) {
	key := ports.Key{Namespace: "default", Name: "c1"}
	portstest.TalosSecrets(t, func(*testing.T) portstest.TalosSecretsStore {
		clock := memory.NewClock(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
		s := &memory.TalosSecrets{Clock: clock}
		return portstest.TalosSecretsStore{
			Open: func() ports.TalosSecrets { return s },
			Client: func(ports.TalosClient) portstest.TalosClientConfig {
				endpoints, ca, pair := s.Client(key)
				return portstest.TalosClientConfig{Endpoints: endpoints, CA: ca, Client: pair}
			},
			Advance:     clock.Advance,
			Steal:       func() { s.Break(key, ports.ErrNotOwned) },
			Spoil:       func() { s.Break(key, ports.ErrInvalidTalosSecrets) },
			StealClient: func() { s.StealClient(key) },
		}
	})
}

func TestSameCallsGiveSameAnswers(t *testing.T) {
	pair := func() node.KeyPair {
		c := memory.Certificates{Assume: true}
		p, err := c.Find(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.PurposeClusterCA)
		if err != nil {
			t.Fatalf("find: %v", err)
		}
		return p
	}
	if a, b := pair(), pair(); !bytes.Equal(a.Certificate, b.Certificate) || !bytes.Equal(a.Key.Reveal(), b.Key.Reveal()) {
		t.Error("two equal calls made different certificates")
	}
	random := func() []byte {
		b := make([]byte, 100)
		if _, err := io.ReadFull(&memory.Entropy{}, b); err != nil {
			t.Fatalf("read: %v", err)
		}
		return b
	}
	if !bytes.Equal(random(), random()) {
		t.Error("two sources of bytes differ")
	}
}

func TestSnapshotStoreConforms(t *testing.T) {
	portstest.SnapshotStore(t, func(*testing.T) (portstest.SnapshotStoreServer, ports.SnapshotStore) {
		s := &memory.SnapshotStore{}
		stored := func(_ *testing.T, name string) []byte { return s.Stored(name) }
		return portstest.SnapshotStoreServer{SnapshotStore: s, Stored: stored}, &memory.SnapshotStore{}
	})
}

func TestStorageConforms(t *testing.T) {
	portstest.Storage(t, func(t *testing.T) portstest.StorageServer {
		clock := memory.NewClock(time.Unix(1_800_000_000, 0))
		s := &memory.Storage{Clock: clock}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		s.Base = server.URL
		return portstest.StorageServer{Storage: s, Later: clock.Advance, Fetch: fetch}
	})
}

func fetch(ctx context.Context, l delivery.Location) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, string(l.URL.Reveal()), nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// pluginScene arranges plugins in memory, which are ready at once.
type pluginScene struct{ *memory.PluginResources }

func (s pluginScene) Plugin(_ *testing.T, namespace string, id composition.ID, text string) {
	s.Put(namespace, id, composition.Observed{State: composition.Ready, Text: secret.FromString(text)})
}

func (s pluginScene) Template(_ *testing.T, namespace string, id composition.ID, text string) {
	s.PutTemplate(namespace, id, composition.Observed{State: composition.Ready, Text: secret.FromString(text)})
}

func (pluginScene) Settle(*testing.T, string, composition.ID) {}

func TestPluginResources(t *testing.T) {
	portstest.PluginResources(t, func(*testing.T) (ports.PluginResources, portstest.PluginScene) {
		p := &memory.PluginResources{}
		return p, pluginScene{p}
	})
}

func TestResumptionConforms(t *testing.T) {
	r := &memory.Resumption{}
	portstest.Resumption(t, r, func(*testing.T) []string { return r.Argv })
}

func TestMembershipConforms(t *testing.T) {
	m := &memory.Membership{}
	portstest.Membership(t, m, func(*testing.T) bool { return !m.Left })
}

func TestStorageRequestsConform(t *testing.T) {
	portstest.StorageRequests(t, func(*testing.T) portstest.StorageRequestStore {
		d := &memory.StorageRequests{
			Storage:  &memory.Storage{Base: "http://storage", Clock: &memory.Clock{}},
			Lifetime: time.Hour,
		}
		return portstest.StorageRequestStore{StorageRequests: d, Process: func(t *testing.T, problem string) {
			t.Helper()
			if err := d.Process(t.Context(), problem); err != nil {
				t.Fatal(err)
			}
		}}
	})
}

func TestClusterLookupConforms(t *testing.T) {
	portstest.ClusterLookup(t, func(*testing.T) portstest.ClusterLookupStore {
		l := &memory.ClusterLookup{}
		return portstest.ClusterLookupStore{Lookup: l, PutMachine: l.PutMachine, PutCluster: l.PutCluster}
	})
}

func TestControlPlaneConforms(t *testing.T) {
	portstest.ControlPlane(t, func(*testing.T) portstest.ControlPlaneStore {
		key := ports.Key{Namespace: "default", Name: "c1-control-plane"}
		w := memory.NewControlPlane(ports.ControlPlane{
			Key: key, ClusterName: "c1", Network: node.Cluster{Name: "c1"},
			Desired: controlplane.Desired{
				Replicas: 3, FailureDomains: []string{"a", "b"}, Template: controlplane.Template{Version: "v1.36.3"},
			},
		}, memory.NewClock(time.Unix(1_800_000_000, 0)))
		return portstest.ControlPlaneStore{
			Objects: w, Machines: w, Key: key,
			Scale: func(_ *testing.T, replicas int) {
				w.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = replicas })
			},
			Delete: func(*testing.T) { w.Change(func(c *ports.ControlPlane) { c.Desired.Deleting = true }) },
			Drain:  func(_ *testing.T, machine string) { w.AdvanceMachine(machine) },
		}
	})
}
