package delivery

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// Mode selects what applies the configuration.
type Mode string

// The modes.
const (
	// ModeNative renders the whole configuration in the format. It is the default.
	ModeNative Mode = ""
	// ModeAgent hands most of it to the agent machineadm on the machine, as one file.
	ModeAgent Mode = "Agent"
)

// Paths of the agent and its configuration on a machine.
const (
	AgentPath         = "/usr/bin/machineadm"
	ConfigurationPath = "/etc/machineadm/machineadm_config.yaml"
	// ResumeUnit continues an interrupted bootstrap at later boots, and reports its result. The agent installs it first.
	ResumeUnit     = "machineadm-resume.service"
	ResumeUnitPath = "/etc/systemd/system/" + ResumeUnit
	// BootstrapPath is the program that the userdata of Linux machines brings, and that starts the agent.
	BootstrapPath = "/etc/machineadm/bootstrap"
	// StartedPath exists once that program was started, so that it is not started twice.
	StartedPath = "/var/lib/machineadm/started"
)

// Agent sets how the agent is installed on the machine.
type Agent struct {
	// Path is the agent's path. Empty is AgentPath, or for one that is fetched the profile's directory of programs.
	Path string
	// Fetch is the source of the agent; nil if the image contains it.
	Fetch *AgentFetch
	// Endpoint has the controller's endpoint serve it. Who knows the endpoint sets Fetch.
	Endpoint bool
}

// AgentFetch is a program to fetch.
type AgentFetch struct {
	// URL is http, https or file. {version}, {arch} and {sha256} are replaced by Version, the machine's architecture and
	// SHA256.
	URL string
	// Version is the agent's, such as v0.1.0; empty if the URL does not ask for it.
	Version string
	// SHA256 is the digest of the program in lower-case hexadecimal; empty if it is to be taken from Release.
	SHA256 string
	// Release is what was published with the program; nil if the digest is given.
	Release *Release
	// Authorities are certificates in PEM that vouch for who serves it, and for nothing else; empty leaves that to those
	// that the machine trusts.
	Authorities string
}

// PluginPin sets the expected digest of a plugin's file.
type PluginPin struct {
	// Name is the file's, and SHA256 its digest in lower-case hexadecimal.
	Name, SHA256 string
}

// PluginPrefixes returns how the names of plugins' files begin, by what they are for.
func PluginPrefixes() []string {
	return []string{
		"machineadm-container-runtime-plugin-", "machineadm-timesync-plugin-", "machineadm-remote-configuration-provider-",
		"machineadm-plugin-encryption-provider-", "machineadm-document-plugin-", "machineadm-reporter-plugin-",
	}
}

// checkPlugins finds what is wrong with the pins. The path is that of the options.
func (o Options) checkPlugins(at report.Path) report.Report {
	var found report.Report
	if len(o.Plugins) > 0 && o.Mode != ModeAgent {
		found = append(found, report.Errorf(at.Field("plugins"), "plugins are the agent's, and there is none").
			To("use the mode Agent"))
	}
	for i, pin := range o.Plugins {
		at := at.Field("plugins").Index(i)
		if !pluginName(pin.Name) {
			found = append(found, report.Errorf(at.Field("name"), "%q is not the name of a plugin's file", pin.Name).
				To("begin it with one of %s", strings.Join(PluginPrefixes(), ", ")))
		}
		if len(pin.SHA256) != 64 || strings.Trim(pin.SHA256, "0123456789abcdef") != "" {
			found = append(found, report.Errorf(at.Field("sha256"), "%q is no SHA-256", pin.SHA256).
				To("write the 64 lower-case hexadecimal digits of sha256sum"))
		}
		if slices.ContainsFunc(o.Plugins[:i], func(other PluginPin) bool { return other.Name == pin.Name }) {
			found = append(found, report.Errorf(at.Field("name"), "%s is pinned twice", pin.Name).To("keep one of the pins"))
		}
	}
	return found
}

// pluginName reports whether it is a prefix and a plain file name.
func pluginName(name string) bool {
	return slices.ContainsFunc(PluginPrefixes(), func(prefix string) bool {
		rest, is := strings.CutPrefix(name, prefix)
		return is && rest != "" && strings.Trim(rest, nameBytes) == "" && rest[0] != '.' && rest[0] != '-'
	})
}
