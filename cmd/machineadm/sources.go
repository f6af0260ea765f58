package main

import (
	"context"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/adapters/source/https"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

// sources fetches over HTTPS itself, and leaves the rest to plugins.
type sources struct{ plugins ports.Source }

// Fetch fetches the configuration from the source that the document names.
func (s sources) Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if c.Provider == https.Provider {
		return https.Default().Fetch(ctx, c)
	}
	return s.plugins.Fetch(ctx, c)
}

// servedSource returns the source that this program is when it is started under its name.
func servedSource(name string) (sdk.Plugin, bool) {
	if name != string(host.TypeRemote)+https.Provider {
		return sdk.Plugin{}, false
	}
	return sdk.Plugin{Name: https.Provider, Version: buildVersion(), Source: https.Default()}, true
}
