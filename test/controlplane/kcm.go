package controlplane

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// StartControllerManager starts kube-controller-manager with the controllers that a management cluster relies on: the
// one that aggregates cluster roles, without which the core manager may not see the kinds of other groups, and the one
// that deletes what belongs to deleted owners.
func (c *ControlPlane) StartControllerManager(ctx context.Context) (*Process, error) {
	controllers := []string{
		"clusterrole-aggregation-controller", "garbage-collector-controller", "namespace-controller",
		"token-cleaner-controller",
	}
	return c.startControllers(ctx, controllers)
}

// startControllers starts kube-controller-manager with the controllers and further arguments.
func (c *ControlPlane) startControllers(ctx context.Context, controllers []string, args ...string) (*Process, error) {
	program, err := Tool(ctx, "kube-controller-manager")
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(c.Dir, "kube-controller-manager.kubeconfig")
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		return nil, err
	}
	all := append([]string{
		"--kubeconfig=" + kubeconfig, "--leader-elect=false", "--secure-port=0",
		// Thousands of objects of deleted machines are deleted.
		"--kube-api-qps=1000", "--kube-api-burst=1000",
		"--controllers=" + strings.Join(controllers, ","),
	}, args...)
	process, err := StartProcess(ctx, filepath.Join(c.Dir, "kube-controller-manager.log"), program, all...)
	if err != nil {
		return nil, fmt.Errorf("start kube-controller-manager: %w", err)
	}
	return process, nil
}
