package cli

import (
	"context"
	"io"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The kinds whose objects describe machines, and their API group.
const (
	Group        = "bootstrap.machineadm.io"
	ConfigKind   = "MachineBootstrapConfig"
	TemplateKind = "MachineBootstrapConfigTemplate"
)

// Manifest is an object that describes a machine.
type Manifest struct {
	// Template says that the object is of TemplateKind, in place of ConfigKind.
	Template bool
	// Namespace and Name are the object's.
	Namespace, Name string
	// JSON is the object.
	JSON []byte
	// Format overrides the object's own; empty does not.
	Format delivery.Format
	// Find returns another object of the same namespace, as JSON, and whether it is there.
	Find func(group, kind, name string) ([]byte, bool)
	// Profiles are known beside those that machineadm has, and in place of those of their names.
	Profiles []osprofile.Profile
}

// Lookup returns what a key of a Secret or ConfigMap holds, and whether it is there. The kind is Secret or ConfigMap.
type Lookup func(kind, name, key string) ([]byte, bool)

// Describe turns a manifest into the domain's words. Fields that the kind does not have are error findings. Paths are
// those of a config (spec.machine…), also for a template.
type Describe func(ctx context.Context, m Manifest, lookup Lookup) (bootstrap.Description, error)

// Options are what the terminal works with. All are required.
type Options struct {
	Describe Describe
	Render   *render.Service
	// Codec reads and writes machine configuration.
	Codec ports.Codec
	// Encrypter encrypts machine configuration, and Decrypter decrypts it.
	Encrypter ports.Encrypter
	Decrypter Decrypter
	// TalosBundle reads the key bundle of the Secret <cluster>-talos. Its error is ErrBadTalosSecrets.
	TalosBundle func(ctx context.Context, text []byte) (node.TalosSecrets, error)
	// ReadProfile reads the profile of an operating system. Findings have the line in the text, which stands at the path.
	ReadProfile func(text []byte, at report.Path) (osprofile.Profile, report.Report)
	// WriteProfile writes a profile as json or yaml, so that ReadProfile gets the same.
	WriteProfile func(p osprofile.Profile, format string) ([]byte, error)
	// Cluster reads what status tells about; nil leaves files.
	Cluster Cluster
	// Color says that Out shows colours.
	Color bool
	// Version is printed by the version command.
	Version string
	// In is what "-f -" reads.
	In io.Reader
	// Out takes results, Err takes findings and complaints.
	Out, Err io.Writer
}
