package host

import (
	"context"

	"google.golang.org/grpc"

	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	"github.com/machineadm/machineadm/ports"
)

// Connected returns a plugin of the name that is reached by the connection, and has not been asked what it is.
func Connected(name string, conn *grpc.ClientConn, c ports.Codec, d Deadlines) *Plugin {
	return &Plugin{File: File{Type: TypeDocument, Name: name}, conn: conn, wire: wire.Wire{Codec: c}, deadlines: d}
}

// Describe asks the plugin what it is.
func (p *Plugin) Describe(ctx context.Context) error { return p.describe(ctx) }

// PID returns the number of the plugin's process.
func (p *Plugin) PID() int { return p.process.Process.Pid }

// Within carries out a request within a limit.
var Within = within
