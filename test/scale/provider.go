package main

import (
	"context"
	_ "embed" // the configs
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

const (
	machineadmName = "machineadm"
	kubeadmName    = "kubeadm-provider"
)

// Limits at which a manager's clients run: its own defaults, or so high that they never hold it back.
const (
	limitsDefault = "default"
	limitsLifted  = "lifted"
)

// The configs are equivalent: one user with a key, one file, a command before and one after kubeadm.
var (
	//go:embed machineadm.yaml
	machineadmConfig []byte
	//go:embed kubeadm.yaml
	kubeadmConfig []byte
)

// provider is a bootstrap provider that is installed and can be started.
type provider struct {
	name string
	// user is its manager's name in the audit log.
	user string
	// config is a worker's config, without a name.
	config *unstructured.Unstructured
	// program is the path of its manager.
	program string
	start   func(ctx context.Context, args ...string) (*controlplane.Process, error)
}

func newProvider(ctx context.Context, c *controlplane.ControlPlane, name string) (provider, error) {
	switch name {
	case machineadmName:
		return newMachineadm(ctx, c)
	case kubeadmName:
		return newKubeadm(ctx, c)
	default:
		return provider{}, fmt.Errorf("unknown provider %s; one of: %s, %s", name, machineadmName, kubeadmName)
	}
}

func newMachineadm(ctx context.Context, c *controlplane.ControlPlane) (provider, error) {
	if err := c.InstallProvider(ctx); err != nil {
		return provider{}, err
	}
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return provider{}, err
	}
	config, err := decode(machineadmConfig)
	start := func(ctx context.Context, args ...string) (*controlplane.Process, error) {
		p, err := c.StartProvider(ctx, program, args...)
		if err != nil {
			return nil, err
		}
		return p.Process, nil
	}
	return provider{
		name: machineadmName, user: controlplane.ProviderUser, config: config, program: program,
		start: start,
	}, err
}

func newKubeadm(ctx context.Context, c *controlplane.ControlPlane) (provider, error) {
	if err := c.InstallKubeadmProvider(ctx); err != nil {
		return provider{}, err
	}
	program, err := controlplane.Tool(ctx, "capi-kubeadm-bootstrap-manager")
	if err != nil {
		return provider{}, err
	}
	config, err := decode(kubeadmConfig)
	return provider{
		name: kubeadmName, user: controlplane.KubeadmProviderUser, config: config, program: program,
		start: c.StartKubeadmProvider,
	}, err
}

func decode(data []byte) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &object.Object); err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	return object, nil
}

// arguments returns the flags for limits. Both managers have the same ones.
func arguments(limits string) ([]string, error) {
	switch limits {
	case limitsDefault:
		return nil, nil
	case limitsLifted:
		return []string{
			"--kube-api-qps=100000", "--kube-api-burst=100000", "--clustercache-client-qps=100000",
			"--clustercache-client-burst=100000",
		}, nil
	default:
		return nil, fmt.Errorf("unknown limits %s; one of: %s, %s", limits, limitsDefault, limitsLifted)
	}
}
