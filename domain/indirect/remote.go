package indirect

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// RemoteConfig is a machine configuration that is fetched.
type RemoteConfig struct {
	// Provider names the plugin that fetches it: machineadm-remote-configuration-provider-<provider>.
	Provider string
	// URI is understood by the provider alone, such as s3://bucket/key.
	URI string
}

// Kind returns KindRemote.
func (RemoteConfig) Kind() document.Kind { return KindRemote }

// Check finds missing fields.
func (c RemoteConfig) Check(p report.Path) report.Report {
	r := required(p.Field("provider"), c.Provider)
	return append(r, required(p.Field("uri"), c.URI)...)
}
