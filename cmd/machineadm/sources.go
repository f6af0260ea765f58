package main

import (
	"context"
	"net/http"
	"net/url"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/adapters/source/https"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

// sources fetches over HTTPS itself, and leaves the rest to plugins.
type sources struct {
	plugins ports.Source
	// proxy returns the function that selects the machine's proxy, or nil if the machine has none.
	proxy func(context.Context) (func(*http.Request) (*url.URL, error), error)
}

// Fetch fetches the configuration from the source that the document names. Over HTTPS it uses the machine's proxy,
// which the userdata has configured before the agent starts.
func (s sources) Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if c.Provider != https.Provider {
		return s.plugins.Fetch(ctx, c)
	}
	source := https.Default()
	var err error
	if source.Proxy, err = s.proxy(ctx); err != nil {
		return nil, err
	}
	return source.Fetch(ctx, c)
}

// servedSource returns the source that this program is when it is started under its name.
func servedSource(name string) (sdk.Plugin, bool) {
	if name != string(host.TypeRemote)+https.Provider {
		return sdk.Plugin{}, false
	}
	return sdk.Plugin{Name: https.Provider, Version: buildVersion(), Source: https.Default()}, true
}
