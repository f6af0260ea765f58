package convert

import (
	"slices"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// The apiVersion and kind of each profile.
const (
	OSProfileAPIVersion = "bootstrap.machineadm.io/v1alpha1"
	OSProfileKind       = "OSProfile"
)

// profileForm is the YAML form of a profile. Empty fields are omitted, so that a round trip does not change a profile.
type profileForm struct {
	APIVersion string `json:"apiVersion" yaml:"apiVersion"`
	Kind       string `json:"kind" yaml:"kind"`
	// Extends names the profile that provides the facts that are not set; it is never written.
	Extends             string            `json:"extends,omitempty" yaml:"extends,omitempty"`
	ID                  string            `json:"id" yaml:"id"`
	Name                string            `json:"name" yaml:"name"`
	Family              string            `json:"family" yaml:"family"`
	Codenames           map[string]string `json:"codenames,omitempty" yaml:"codenames,omitempty"`
	DefaultRelease      string            `json:"defaultRelease,omitempty" yaml:"defaultRelease,omitempty"`
	Formats             []formatForm      `json:"formats" yaml:"formats"`
	ButaneVariant       string            `json:"butaneVariant,omitempty" yaml:"butaneVariant,omitempty"`
	Shell               string            `json:"shell" yaml:"shell"`
	ReadOnly            []string          `json:"readOnly,omitempty" yaml:"readOnly,omitempty"`
	Writable            []string          `json:"writable,omitempty" yaml:"writable,omitempty"`
	NoExec              []string          `json:"noExec,omitempty" yaml:"noExec,omitempty"`
	BinDir              string            `json:"binDir,omitempty" yaml:"binDir,omitempty"`
	PackageManager      string            `json:"packageManager,omitempty" yaml:"packageManager,omitempty"`
	TimeDaemons         []string          `json:"timeDaemons,omitempty" yaml:"timeDaemons,omitempty"`
	ContainerRuntime    string            `json:"containerRuntime" yaml:"containerRuntime"`
	ContainsRuntime     bool              `json:"containsRuntime,omitempty" yaml:"containsRuntime,omitempty"`
	RuntimePackages     []packageForm     `json:"runtimePackages,omitempty" yaml:"runtimePackages,omitempty"`
	ContainerdConfig    []runtimeForm     `json:"containerdConfig,omitempty" yaml:"containerdConfig,omitempty"`
	KubernetesRanges    []rangeForm       `json:"kubernetesRanges,omitempty" yaml:"kubernetesRanges,omitempty"`
	Provision           string            `json:"provision" yaml:"provision"`
	SysextArchitectures map[string]string `json:"sysextArchitectures,omitempty" yaml:"sysextArchitectures,omitempty"`
	Updaters            []string          `json:"updaters,omitempty" yaml:"updaters,omitempty"`
	Trust               *trustForm        `json:"trust,omitempty" yaml:"trust,omitempty"`
	Metadata            *metadataForm     `json:"metadata,omitempty" yaml:"metadata,omitempty"`
	SELinux             bool              `json:"selinux,omitempty" yaml:"selinux,omitempty"`
	KubeletEnvironment  string            `json:"kubeletEnvironment,omitempty" yaml:"kubeletEnvironment,omitempty"`
	SudoGroup           string            `json:"sudoGroup,omitempty" yaml:"sudoGroup,omitempty"`
	Sources             []string          `json:"sources,omitempty" yaml:"sources,omitempty"`
}

type formatForm struct {
	Format   string        `json:"format" yaml:"format"`
	Versions []versionForm `json:"versions,omitempty" yaml:"versions,omitempty"`
	Source   string        `json:"source,omitempty" yaml:"source,omitempty"`
}

type versionForm struct {
	Since   string `json:"since,omitempty" yaml:"since,omitempty"`
	Version string `json:"version" yaml:"version"`
}

type runtimeForm struct {
	Since   string `json:"since,omitempty" yaml:"since,omitempty"`
	Version int    `json:"version" yaml:"version"`
}

type packageForm struct {
	Since   string `json:"since,omitempty" yaml:"since,omitempty"`
	Name    string `json:"name" yaml:"name"`
	Version string `json:"version,omitempty" yaml:"version,omitempty"`
}

type rangeForm struct {
	Release string `json:"release" yaml:"release"`
	Oldest  string `json:"oldest" yaml:"oldest"`
	Newest  string `json:"newest" yaml:"newest"`
}

type trustForm struct {
	Directory string `json:"directory" yaml:"directory"`
	Extension string `json:"extension" yaml:"extension"`
	Command   string `json:"command" yaml:"command"`
}

type metadataForm struct {
	Unit   string `json:"unit" yaml:"unit"`
	File   string `json:"file" yaml:"file"`
	Prefix string `json:"prefix" yaml:"prefix"`
}

func newProfileForm(p osprofile.Profile) profileForm {
	f := profileForm{
		APIVersion: OSProfileAPIVersion, Kind: OSProfileKind, ID: p.ID, Name: p.Name, Family: string(p.Family),
		Codenames: p.Codenames, DefaultRelease: p.DefaultRelease, ButaneVariant: p.ButaneVariant,
		Shell: string(p.Shell), ReadOnly: p.ReadOnly, Writable: p.Writable, NoExec: p.NoExec, BinDir: p.BinDir,
		PackageManager: string(p.PackageManager), TimeDaemons: words[string](p.TimeDaemons),
		ContainerRuntime: string(p.ContainerRuntime), ContainsRuntime: p.ContainsRuntime,
		Provision: string(p.Provision), SysextArchitectures: p.SysextArch, Updaters: p.Updaters, SELinux: p.SELinux,
		KubeletEnvironment: p.KubeletEnvironment, SudoGroup: p.SudoGroup, Sources: p.Sources,
	}
	for _, s := range p.Formats {
		format := formatForm{Format: string(s.Format), Source: s.Source}
		for _, v := range s.Versions {
			format.Versions = append(format.Versions, versionForm(v))
		}
		f.Formats = append(f.Formats, format)
	}
	for _, r := range p.RuntimePackages {
		f.RuntimePackages = append(f.RuntimePackages, packageForm(r))
	}
	for _, v := range p.ContainerdConfig {
		f.ContainerdConfig = append(f.ContainerdConfig, runtimeForm(v))
	}
	for _, r := range p.KubernetesRanges {
		f.KubernetesRanges = append(f.KubernetesRanges, rangeForm(r))
	}
	if p.Trust != (osprofile.Trust{}) {
		f.Trust = &trustForm{p.Trust.Directory, p.Trust.Extension, p.Trust.Command}
	}
	if p.Metadata != nil {
		f.Metadata = &metadataForm{p.Metadata.Unit, p.Metadata.File, p.Metadata.Prefix}
	}
	return f
}

// words converts a list of words to another type. It keeps nil.
func words[To, From ~string](list []From) []To {
	var converted []To
	for _, word := range list {
		converted = append(converted, To(word))
	}
	return converted
}

func (f profileForm) profile() osprofile.Profile {
	p := osprofile.Profile{
		ID: f.ID, Name: f.Name, Family: osprofile.Family(f.Family), ButaneVariant: f.ButaneVariant,
		Codenames: f.Codenames, DefaultRelease: f.DefaultRelease,
		Shell:    osprofile.Shell(f.Shell),
		ReadOnly: slices.Clone(f.ReadOnly), Writable: slices.Clone(f.Writable), NoExec: slices.Clone(f.NoExec),
		BinDir:         f.BinDir,
		PackageManager: osprofile.PackageManager(f.PackageManager), TimeDaemons: words[machine.TimeDaemon](f.TimeDaemons),
		ContainerRuntime: osprofile.ContainerRuntime(f.ContainerRuntime), ContainsRuntime: f.ContainsRuntime,
		Provision:  machine.Provision(f.Provision),
		SysextArch: f.SysextArchitectures, Updaters: f.Updaters, SELinux: f.SELinux, KubeletEnvironment: f.KubeletEnvironment,
		SudoGroup: f.SudoGroup, Sources: f.Sources,
	}
	for _, s := range f.Formats {
		support := osprofile.FormatSupport{Format: delivery.Format(s.Format), Source: s.Source}
		for _, v := range s.Versions {
			support.Versions = append(support.Versions, osprofile.FormatVersion(v))
		}
		p.Formats = append(p.Formats, support)
	}
	for _, r := range f.RuntimePackages {
		p.RuntimePackages = append(p.RuntimePackages, osprofile.RuntimePackage(r))
	}
	for _, v := range f.ContainerdConfig {
		p.ContainerdConfig = append(p.ContainerdConfig, osprofile.RuntimeVersion(v))
	}
	for _, r := range f.KubernetesRanges {
		p.KubernetesRanges = append(p.KubernetesRanges, osprofile.KubernetesRange(r))
	}
	if f.Trust != nil {
		p.Trust = osprofile.Trust{Directory: f.Trust.Directory, Extension: f.Trust.Extension, Command: f.Trust.Command}
	}
	if f.Metadata != nil {
		p.Metadata = &osprofile.Metadata{Unit: f.Metadata.Unit, File: f.Metadata.File, Prefix: f.Metadata.Prefix}
	}
	return p
}
