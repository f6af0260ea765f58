package talos

import (
	"context"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// The sections of containerd 2's configuration that are written (containerd: docs/PLUGINS.md).
const (
	pluginImages  = "io.containerd.cri.v1.images"
	pluginRuntime = "io.containerd.cri.v1.runtime"
	shimRunc      = "io.containerd.runc.v2"
)

// customizationVersion is that of the file which containerd's settings are merged into.
const customizationVersion = 3

// runtime renders containerd's settings: registries as Talos's own settings, all others in the file that containerd
// imports.
func (b *build) runtime(ctx context.Context, at report.Path, c machine.ContainerdConfig) {
	b.registries(at.Field("registries"), c.Registries)
	if c.Version != 0 && c.Version != customizationVersion {
		b.find(report.Errorf(at.Field("version"), "containerd of Talos reads version %d", customizationVersion).
			To("leave it out"))
	}
	if c.CgroupDriver == machine.CgroupDriverSystemd {
		b.find(report.Errorf(at.Field("cgroupDriver"), "Talos has no systemd").To("leave it out"))
	}
	if c.Proxy != nil {
		b.find(report.Errorf(at.Field("proxy"), "containerd of Talos has the machine's proxy").To("use the machine's proxy"))
	}
	tree := map[string]any{}
	if c.RawTOML != "" {
		var err error
		if tree, err = structured.TOML(ctx, []byte(c.RawTOML)); err != nil {
			b.find(structured.Finding(at.Field("rawTOML"), "this is not well-formed TOML", err))
			return
		}
	}
	b.tune(at, c, tree)
	if len(tree) == 0 {
		return
	}
	data, err := toml.Marshal(tree)
	if err != nil {
		b.find(report.Errorf(at.Field("rawTOML"), "this cannot be written as TOML"))
		return
	}
	b.containerd = data
}

// tune adds the settings that have a field to the user's own.
func (b *build) tune(at report.Path, c machine.ContainerdConfig, tree map[string]any) {
	if version, given := tree["version"]; given && version != int64(customizationVersion) {
		b.find(report.Errorf(at.Field("rawTOML"), "containerd of Talos reads version %d", customizationVersion).
			To("leave the version out"))
	}
	if c.SandboxImage != "" {
		b.set(at.Field("sandboxImage"), tree, c.SandboxImage, "plugins", pluginImages, "pinned_images", "sandbox")
	}
	if c.DefaultRuntime != "" && c.DefaultRuntime != "runc" {
		b.set(at.Field("defaultRuntime"), tree, c.DefaultRuntime, "plugins", pluginRuntime, "containerd",
			"default_runtime_name")
	}
	for i, r := range c.Runtimes {
		p := at.Field("runtimes").Index(i)
		b.set(p, tree, b.handler(p, r), "plugins", pluginRuntime, "containerd", "runtimes", r.Name)
	}
}

// handler is a runtime. The options of runc have types that only containerd knows.
func (b *build) handler(at report.Path, r machine.Runtime) map[string]any {
	out := map[string]any{"runtime_type": r.Type}
	if r.Type == "" {
		out["runtime_type"] = shimRunc
	}
	options := map[string]any{}
	switch {
	case out["runtime_type"] != shimRunc && r.Path != "":
		out["runtime_path"] = r.Path
	case r.Path != "":
		options["BinaryName"] = r.Path
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if out["runtime_type"] == shimRunc {
			b.find(report.Errorf(at.Field("options").Key(name), "the options of runc are not written for Talos").
				To("use rawTOML"))
			continue
		}
		options[name] = r.Options[name]
	}
	if len(options) > 0 {
		out["options"] = options
	}
	return out
}

// set puts a value into the tree; the user's own text must not set it, too.
func (b *build) set(at report.Path, tree map[string]any, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		below, ok := tree[key].(map[string]any)
		if tree[key] != nil && !ok {
			b.find(report.Errorf(at, "rawTOML sets %s to another type", key).To("keep one of them"))
			return
		}
		if below == nil {
			below = map[string]any{}
			tree[key] = below
		}
		tree = below
	}
	last := path[len(path)-1]
	if _, given := tree[last]; given {
		b.find(report.Errorf(at, "rawTOML sets %s, too", last).To("keep one of them"))
		return
	}
	tree[last] = value
}
