package controlplane

import (
	"fmt"

	"github.com/machineadm/machineadm/test/thread"
)

// RestartAPIServer ends kube-apiserver and starts it again at the same address. etcd keeps running.
func (c *ControlPlane) RestartAPIServer() error {
	server := c.env.ControlPlane.APIServer
	if err := server.Stop(); err != nil {
		return fmt.Errorf("stop kube-apiserver: %w", err)
	}
	if err := thread.Start(c.stopped, server.Start); err != nil {
		return fmt.Errorf("start kube-apiserver again: %w", err)
	}
	return nil
}
