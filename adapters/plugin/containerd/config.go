package containerd

import (
	"context"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// The names of the CRI plugin: one name in containerd 1.x (version 2 of the file), and two since containerd 2.0
// (containerd: docs/PLUGINS.md).
const (
	pluginCRI     = "io.containerd.grpc.v1.cri"
	pluginImages  = "io.containerd.cri.v1.images"
	pluginRuntime = "io.containerd.cri.v1.runtime"
)

// runc is the shim of OCI runtimes that are called like runc.
const runc = "io.containerd.runc.v2"

// file is what we write of containerd's configuration file.
type file struct {
	Version int      `toml:"version"`
	Imports []string `toml:"imports,omitempty"`
	// OOMScore protects the daemon from the OOM killer, as in Flatcar's default file.
	OOMScore int               `toml:"oom_score,omitempty"`
	Plugins  map[string]plugin `toml:"plugins"`
}

// plugin is the section of any of the three plugins; each has only some of the fields.
type plugin struct {
	SandboxImage string            `toml:"sandbox_image,omitempty"`
	PinnedImages map[string]string `toml:"pinned_images,omitempty"`
	Registry     *registry         `toml:"registry,omitempty"`
	CNI          *cni              `toml:"cni,omitempty"`
	Containerd   *containerd       `toml:"containerd,omitempty"`
}

type cni struct {
	BinDir  string `toml:"bin_dir"`
	ConfDir string `toml:"conf_dir"`
}

type registry struct {
	ConfigPath string                    `toml:"config_path"`
	Configs    map[string]registryConfig `toml:"configs,omitempty"`
}

type registryConfig struct {
	Auth auth `toml:"auth"`
}

type auth struct {
	Username      string `toml:"username,omitempty"`
	Password      string `toml:"password,omitempty"`
	IdentityToken string `toml:"identitytoken,omitempty"`
}

type containerd struct {
	DefaultRuntimeName string             `toml:"default_runtime_name"`
	Runtimes           map[string]runtime `toml:"runtimes"`
}

type runtime struct {
	RuntimeType string         `toml:"runtime_type"`
	RuntimePath string         `toml:"runtime_path,omitempty"`
	Options     map[string]any `toml:"options,omitempty"`
}

// mainFile returns the action that writes File. With credentials in it, only root reads it.
func mainFile(ctx context.Context, c machine.ContainerdConfig, t osprofile.Target, at report.Path) (action.WriteFile,
	report.Report, error,
) {
	configs := credentials(c.Registries)
	runtimes, r := runtimes(c, at)
	if expand.IsWindows(t) {
		runtimes, r = windowsRuntimes(c, at)
	}
	content, err := toml.Marshal(settings(c, t, configs, runtimes))
	if err != nil {
		return action.WriteFile{}, nil, fmt.Errorf("expand containerd: %w", err)
	}
	if c.RawTOML != "" {
		var found report.Report
		if content, found, err = merged(ctx, content, c, at.Field("rawTOML")); err != nil {
			return action.WriteFile{}, nil, err
		}
		r = append(r, found...)
	}
	place := expand.Place(t, File)
	if len(configs) > 0 {
		return expand.SecretFile(place, content), r, nil
	}
	return expand.File(place, string(content)), r, nil
}

func settings(c machine.ContainerdConfig, t osprofile.Target, configs map[string]registryConfig,
	runtimes map[string]runtime,
) file {
	// Files of images and of other programs are kept (kubernetes-sigs/image-builder roles/containerd, 2026-07-22). Since
	// containerd 2.0 their sections are merged into ours; earlier releases replace the section of a plugin.
	f := file{Version: c.Version, Imports: []string{expand.Place(t, "/etc/containerd/conf.d/*.toml")}}
	if t.Profile.Family == osprofile.FamilyFlatcar {
		f.OOMScore = -999
	}
	images := plugin{Registry: &registry{ConfigPath: expand.Place(t, HostsDirectory), Configs: configs}}
	tasks := &containerd{DefaultRuntimeName: defaultRuntime(c, t), Runtimes: runtimes}
	if len(runtimes) == 0 {
		tasks = nil
	}
	if c.Version < 3 {
		images.SandboxImage, images.CNI, images.Containerd = c.SandboxImage, network(t), tasks
		f.Plugins = map[string]plugin{pluginCRI: images}
		return f
	}
	if c.SandboxImage != "" {
		images.PinnedImages = map[string]string{"sandbox": c.SandboxImage}
	}
	f.Plugins = map[string]plugin{pluginImages: images, pluginRuntime: {CNI: network(t), Containerd: tasks}}
	return f
}

// network returns the directories of CNI if they are not containerd's own. On Windows the plug-ins of networks install
// themselves as on Linux, on drive C, and containerd looks for them below its program (kubernetes-sigs/image-builder
// ansible/windows/roles/runtimes; kubernetes-sigs/sig-windows-tools hostprocess/Install-Containerd.ps1).
func network(t osprofile.Target) *cni {
	if !expand.IsWindows(t) {
		return nil
	}
	return &cni{BinDir: "C:/opt/cni/bin", ConfDir: "C:/etc/cni/net.d"}
}

func defaultRuntime(c machine.ContainerdConfig, t osprofile.Target) string {
	switch {
	case c.DefaultRuntime != "":
		return c.DefaultRuntime
	case expand.IsWindows(t):
		return runhcsProcess
	default:
		return "runc"
	}
}

// merged returns the configuration with the user's own TOML laid over it: tables are merged, other values replaced.
func merged(ctx context.Context, content []byte, c machine.ContainerdConfig, at report.Path) ([]byte,
	report.Report, error,
) {
	base := map[string]any{}
	if err := toml.Unmarshal(content, &base); err != nil {
		return nil, nil, fmt.Errorf("expand containerd: %w", err)
	}
	own, err := structured.TOML(ctx, []byte(c.RawTOML))
	if err != nil {
		return nil, report.Report{expand.InvalidTOML(at, err)}, nil
	}
	if version, given := own["version"]; given && version != int64(c.Version) {
		return nil, report.Report{report.Errorf(at, "it has version %v, but the configuration has version %d",
			version, c.Version).
			To("write it in version %d, or set version", c.Version)}, nil
	}
	lay(own, base)
	out, err := toml.Marshal(base)
	if err != nil {
		return nil, nil, fmt.Errorf("expand containerd: %w", err)
	}
	return out, nil, nil
}

func lay(over, base map[string]any) {
	for key, value := range over {
		upper, isTable := value.(map[string]any)
		lower, wasTable := base[key].(map[string]any)
		if isTable && wasTable {
			lay(upper, lower)
			continue
		}
		base[key] = value
	}
}
