// Package benchmarks_test compares this project with the kubeadm bootstrap provider on equal content, in one run.
package benchmarks_test

import (
	"context"
	"testing"

	"github.com/blang/semver/v4"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/cloudinit"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/ignition"
	kubeadmtypes "sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
)

// The content of both sides: one file, one user with a key, a command before and after kubeadm, a worker that joins by
// token.
const (
	motd     = "A node of the cluster demo.\n"
	key      = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw operator@example"
	token    = "abcdef.canary7q9zk2xw5v"
	hash     = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	endpoint = "demo.example:6443"
	version  = "1.36.3"
	taintKey = "node.cluster.x-k8s.io/uninitialized"
)

func documents() []document.Document {
	at := func(v document.Value, path string) document.Document {
		return document.Document{Value: v, Source: document.Source{Path: "spec.machine"}}
	}
	return []document.Document{
		at(machine.User{
			Name: "ops", Groups: []string{"adm"}, Shell: "/bin/bash", Sudo: "ALL=(ALL) NOPASSWD:ALL",
			SSHAuthorizedKeys: []string{key},
		}, "users[0]"),
		at(machine.File{Path: "/etc/motd", Content: document.Text(motd), Mode: 0o644}, "files[0]"),
		at(machine.Command{Phase: document.PhasePre, Script: "swapoff -a"}, "preCommands[0]"),
		at(machine.Command{Phase: document.PhasePost, Script: "touch /var/log/joined"}, "postCommands[0]"),
		at(node.NodeConfig{
			Role: node.RoleWorker, KubernetesVersion: "v" + version,
			Cluster: node.Cluster{Name: "demo", Endpoint: endpoint},
			Discovery: &node.Discovery{
				APIServerEndpoint: endpoint, Token: secret.FromString(token), CACertHashes: []string{hash},
			},
			Registration: node.Registration{
				Name:      document.Text("worker"),
				Taints:    []node.Taint{{Key: taintKey, Effect: "NoSchedule"}},
				TaintsSet: true,
				CRISocket: "unix:///run/containerd/containerd.sock",
			},
		}, "node"),
	}
}

func target(t testing.TB, id string) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup(id)
	if !known {
		t.Fatalf("no profile %s", id)
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v" + version}
}

func service(t testing.TB) *render.Service {
	t.Helper()
	s, err := render.New(formats.Builtin(), plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ours renders the worker, from its documents to the payload.
func ours(t testing.TB, s *render.Service, docs []document.Document, os osprofile.Target, f delivery.Format) []byte {
	t.Helper()
	return rendered(t, s, docs, os, f).Rendering.Payload.Data.Reveal()
}

func rendered(t testing.TB, s *render.Service, docs []document.Document, os osprofile.Target, f delivery.Format,
) render.Result {
	t.Helper()
	result, err := s.Render(context.Background(), plan.Job{Documents: docs, Target: os, Format: f})
	if err != nil || result.Findings.HasErrors() {
		t.Fatal(err, result.Findings)
	}
	return result
}

func baseUserData() cloudinit.BaseUserData {
	return cloudinit.BaseUserData{
		PreKubeadmCommands:  []string{"swapoff -a"},
		PostKubeadmCommands: []string{"touch /var/log/joined"},
		AdditionalFiles:     []bootstrapv1.File{{Path: "/etc/motd", Owner: "root:root", Permissions: "0644", Content: motd}},
		Users: []bootstrapv1.User{{
			Name: "ops", Groups: "adm", Shell: "/bin/bash", Sudo: "ALL=(ALL) NOPASSWD:ALL",
			SSHAuthorizedKeys: []string{key},
		}},
		KubernetesVersion: semver.MustParse(version),
	}
}

func joinConfiguration(t testing.TB) string {
	t.Helper()
	join, err := kubeadmtypes.MarshalJoinConfigurationForVersion(&bootstrapv1.JoinConfiguration{
		NodeRegistration: bootstrapv1.NodeRegistrationOptions{
			Name: "worker", CRISocket: "unix:///run/containerd/containerd.sock",
			Taints: &taints,
		},
		Discovery: bootstrapv1.Discovery{BootstrapToken: bootstrapv1.BootstrapTokenDiscovery{
			Token: token, APIServerEndpoint: endpoint, CACertHashes: []string{hash},
		}},
	}, semver.MustParse(version))
	if err != nil {
		t.Fatal(err)
	}
	return join
}

// theirsCloudInit renders the worker as the kubeadm provider does: its kubeadm document, then its userdata.
func theirsCloudInit(t testing.TB) []byte {
	t.Helper()
	data, err := cloudinit.NewNode(&cloudinit.NodeInput{
		BaseUserData:      baseUserData(),
		JoinConfiguration: joinConfiguration(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func theirsIgnition(t testing.TB) []byte {
	t.Helper()
	data, _, err := ignition.NewNode(&ignition.NodeInput{
		NodeInput: &cloudinit.NodeInput{BaseUserData: baseUserData(), JoinConfiguration: joinConfiguration(t)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
