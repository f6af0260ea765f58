package cli

import (
	"io"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Version identifies a build of the program.
type Version struct {
	Version string `json:"version"`
	// Commit is the revision of the source, or empty if the build does not record it.
	Commit    string `json:"commit,omitempty"`
	GoVersion string `json:"goVersion"`
	Platform  string `json:"platform"`
	// FIPSModule is the version of the Go Cryptographic Module in a FIPS release, or empty.
	FIPSModule string `json:"fipsModule,omitempty"`
}

// Options are the parts that the commands use. All are required.
type Options struct {
	Render *render.Service
	// Codec reads and writes machine configuration.
	Codec ports.Codec
	// Encrypter encrypts machine configuration.
	Encrypter ports.Encrypter
	// Decrypter returns a ports.Decrypter for the passphrase. With an empty passphrase, it uses the providers that the
	// documents name.
	Decrypter func(passphrase secret.Value) ports.Decrypter
	// ControlPlanes reads control planes.
	ControlPlanes ControlPlaneReader
	// Clock returns the time at which control planes are planned.
	Clock ports.Clock
	// Color is set if Out displays colors.
	Color bool
	// Version is printed by the version command.
	Version Version
	// In is read for "-f -".
	In io.Reader
	// Out receives results, Err receives findings and errors. Run replaces both by writers for readers.
	Out, Err io.Writer
	// data is Out for bytes that must arrive unchanged: bootstrap data, and manifests and documents for other programs.
	data io.Writer
}

// forReaders returns the options whose outputs escape what would control a terminal.
func (o Options) forReaders() Options {
	var colors []string
	if o.Color {
		colors = []string{bad, good, unknown, plain}
	}
	o.data, o.Out, o.Err = o.Out, terminal.NewWriter(o.Out, colors...), terminal.NewWriter(o.Err)
	return o
}
