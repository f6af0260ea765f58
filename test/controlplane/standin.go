package controlplane

import (
	"bytes"
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// StartStandIn installs the kinds of the fake infrastructure provider and runs its controllers until the control plane
// stops. The endpoint of its clusters is this API server.
func (c *ControlPlane) StartStandIn(ctx context.Context) error {
	objects, err := Decode(bytes.NewReader(standin.Manifests))
	if err != nil {
		return err
	}
	if err := c.Apply(ctx, objects...); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(c.Config, ctrl.Options{
		Scheme:  Scheme(),
		Metrics: metricsserver.Options{BindAddress: "0"},
		Client:  client.Options{Cache: &client.CacheOptions{Unstructured: true}},
	})
	if err != nil {
		return fmt.Errorf("start the fake infrastructure provider: %w", err)
	}
	host, port := c.Endpoint()
	provider := &standin.Provider{Client: manager.GetClient(), Host: host, Port: port}
	if err := provider.SetupWithManager(manager); err != nil {
		return err
	}
	running, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		_ = manager.Start(running)
		close(done)
	}()
	c.stops = append(c.stops, func() {
		cancel()
		<-done
	})
	return nil
}
