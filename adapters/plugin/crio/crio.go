// Package crio configures CRI-O: a drop-in of its own, and the files of containers/image, which it shares with podman
// and skopeo, for mirrors, certificates and credentials.
package crio

import (
	"context"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The files that are written.
const (
	// File is machineadm's drop-in. It comes after 10-crio.conf of packages and system extensions.
	File = "/etc/crio/crio.conf.d/50-machineadm.conf"
	// RawFile contains rawTOML of the document.
	RawFile = "/etc/crio/crio.conf.d/90-machineadm-user.conf"
	// RegistriesFile is in the format of containers-registries.conf(5).
	RegistriesFile = "/etc/containers/registries.conf.d/50-machineadm.conf"
	// AuthFile is in the format of containers-auth.json(5).
	AuthFile = "/etc/crio/machineadm-auth.json"
	// CertsDirectory contains a directory for each host (containers-certs.d(5)).
	CertsDirectory = "/etc/containers/certs.d"
)

// Expander expands CRIOConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind CRIOConfig.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "crio", Kinds: []document.Kind{machine.KindCRIO}}
}

// Expand returns the files and enables the unit, which restarts if the files, the trust store or the machine's proxy
// change. Settings that containers/image does not support are error findings: headers, settings for all registries, and
// a path before /v2.
func (Expander) Expand(ctx context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.CRIOConfig]("crio", e)
	if err != nil {
		return nil, nil, err
	}
	if r := expand.OnlyLinux(e.Target, e.Document, "use containerd"); len(r) > 0 {
		return nil, r, nil
	}
	at := e.Document.Source.Path
	main, r, err := mainFile(c, at)
	if err != nil {
		return nil, nil, err
	}
	raw, found := rawFile(ctx, c, at)
	r = append(r, found...)
	images, found, err := imageFiles(c.Registries, at.Field("registries"))
	if err != nil {
		return nil, nil, err
	}
	if r = append(r, found...); r.HasErrors() {
		return nil, r, nil
	}
	operations := append(append([]action.Operation{main}, raw...), images...)
	return action.Of(append(operations, service(c)...)...), r, nil
}

func service(c machine.CRIOConfig) []action.Operation {
	unit := expand.Enabled("crio.service", machine.KindCRIO, machine.KindTrustedCAs, machine.KindProxy)
	operations, dropIns := expand.OwnProxy("crio", c.Proxy)
	unit.DropIns = dropIns
	return append(operations, unit)
}

// rawFile keeps the user's TOML byte for byte: CRI-O lays one drop-in over the other, key by key.
func rawFile(ctx context.Context, c machine.CRIOConfig, at report.Path) ([]action.Operation, report.Report) {
	if c.RawTOML == "" {
		return nil, nil
	}
	if _, err := structured.TOML(ctx, []byte(c.RawTOML)); err != nil {
		return nil, report.Report{expand.InvalidTOML(at.Field("rawTOML"), err)}
	}
	return []action.Operation{expand.File(RawFile, c.RawTOML)}, nil
}

// file is what we write of crio.conf(5).
type file struct {
	CRIO struct {
		Runtime runtimeTable `toml:"runtime"`
		Image   *imageTable  `toml:"image,omitempty"`
	} `toml:"crio"`
}

type runtimeTable struct {
	CgroupManager string `toml:"cgroup_manager"`
	// ConmonCgroup must be "pod" with the cgroup driver cgroupfs. systemd accepts other values.
	ConmonCgroup   string                    `toml:"conmon_cgroup"`
	DefaultRuntime string                    `toml:"default_runtime,omitempty"`
	Runtimes       map[string]map[string]any `toml:"runtimes,omitempty"`
}

type imageTable struct {
	PauseImage     string `toml:"pause_image,omitempty"`
	GlobalAuthFile string `toml:"global_auth_file,omitempty"`
}

func mainFile(c machine.CRIOConfig, at report.Path) (action.WriteFile, report.Report, error) {
	var f file
	f.CRIO.Runtime = runtimeTable{CgroupManager: "systemd", ConmonCgroup: "pod", DefaultRuntime: c.DefaultRuntime}
	if c.CgroupDriver == machine.CgroupDriverCgroupfs {
		f.CRIO.Runtime.CgroupManager = "cgroupfs"
	}
	runtimes, r := runtimes(c, at.Field("runtimes"))
	f.CRIO.Runtime.Runtimes = runtimes
	image := imageTable{PauseImage: c.PauseImage}
	if hasCredentials(c.Registries) {
		image.GlobalAuthFile = AuthFile
	}
	if image != (imageTable{}) {
		f.CRIO.Image = &image
	}
	content, err := toml.Marshal(f)
	if err != nil {
		return action.WriteFile{}, nil, fmt.Errorf("expand crio: %w", err)
	}
	return expand.File(File, string(content)), r, nil
}
