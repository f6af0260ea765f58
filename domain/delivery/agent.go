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
	// ModeAgent renders userdata that starts the agent machineadm, and a file with the documents that the agent
	// applies.
	ModeAgent Mode = "Agent"
)

// Paths of the agent and its configuration on a machine.
const (
	AgentPath         = "/usr/bin/machineadm"
	ConfigurationPath = "/etc/machineadm/machineadm_config.yaml"
	// ResumeUnit continues an interrupted bootstrap at later boots, and reports its result. The agent installs it first.
	ResumeUnit     = "machineadm-resume.service"
	ResumeUnitPath = "/etc/systemd/system/" + ResumeUnit
	// BootstrapPath is the path of the program in the userdata of Linux machines that starts the agent.
	BootstrapPath = "/etc/machineadm/bootstrap"
	// StartedPath is the marker that this program writes when it starts. A later start finds the marker and reports the
	// interruption.
	StartedPath = "/var/lib/machineadm/started"
)

// Paths of the agent and its configuration on a Windows machine. Only administrators can write to the directories:
// Windows creates other directories of the drive so that all users can replace the files in them.
const (
	WindowsAgentPath         = `C:\Program Files\machineadm\machineadm.exe`
	WindowsConfigurationPath = `C:\ProgramData\machineadm\machineadm_config.yaml`
)

// Agent sets how the agent is installed on the machine.
type Agent struct {
	// Path is the path of the agent. Default: AgentPath, or the profile's BinDir if the agent is fetched; on Windows
	// WindowsAgentPath.
	Path string
	// Fetch is the source of the agent, or nil if the image contains it.
	Fetch *AgentFetch
	// Endpoint means that the machine fetches the agent from the controller's endpoint. The controller then sets Fetch.
	Endpoint bool
}

// AgentFetch is the source of an agent to fetch.
type AgentFetch struct {
	// URL is http, https or file. {version}, {arch} and {sha256} are replaced by Version, the machine's architecture and
	// SHA256.
	URL string
	// Version is the version of the agent, such as v0.1.0, or empty if the URL does not contain {version}.
	Version string
	// SHA256 is the digest of the program in lower-case hexadecimal, or empty if Release contains it.
	SHA256 string
	// Release contains the signed checksums of the release, or nil if SHA256 is set.
	Release *Release
	// Authorities are certificates in PEM. The certificate of the server is verified with these only; if empty, with
	// the machine's trust store.
	Authorities string
}

// PluginPin sets the expected digest of a plugin's file.
type PluginPin struct {
	// Name is the name of the file, and SHA256 its digest in lower-case hexadecimal.
	Name, SHA256 string
}

// PluginPrefixes returns the prefixes of the file names of plugins, one for each type of plugin.
func PluginPrefixes() []string {
	return []string{
		"machineadm-container-runtime-plugin-", "machineadm-timesync-plugin-", "machineadm-remote-configuration-provider-",
		"machineadm-plugin-encryption-provider-", "machineadm-document-plugin-", "machineadm-reporter-plugin-",
	}
}

// checkPlugins returns the findings about the pins. at is the path of the options.
func (o Options) checkPlugins(at report.Path) report.Report {
	var found report.Report
	if len(o.Plugins) > 0 && o.Mode != ModeAgent {
		found = append(found, report.Errorf(at.Field("plugins"), "plugins apply only with the agent").
			To("use the mode Agent"))
	}
	for i, pin := range o.Plugins {
		at := at.Field("plugins").Index(i)
		if !pluginName(pin.Name) {
			found = append(found, report.Errorf(at.Field("name"), "%q is not the name of a plugin's file", pin.Name).
				To("begin it with one of %s", strings.Join(PluginPrefixes(), ", ")))
		}
		if len(pin.SHA256) != 64 || strings.Trim(pin.SHA256, "0123456789abcdef") != "" {
			found = append(found, report.Errorf(at.Field("sha256"), "%q is not a SHA-256 digest", pin.SHA256).
				To("write the 64 lower-case hexadecimal digits of sha256sum"))
		}
		if slices.ContainsFunc(o.Plugins[:i], func(other PluginPin) bool { return other.Name == pin.Name }) {
			found = append(found, report.Errorf(at.Field("name"), "%s is pinned twice", pin.Name).To("keep one of the pins"))
		}
	}
	return found
}

// pluginName reports whether the name consists of a plugin prefix and a plain file name.
func pluginName(name string) bool {
	return slices.ContainsFunc(PluginPrefixes(), func(prefix string) bool {
		rest, is := strings.CutPrefix(name, prefix)
		return is && rest != "" && strings.Trim(rest, nameBytes) == "" && rest[0] != '.' && rest[0] != '-'
	})
}
