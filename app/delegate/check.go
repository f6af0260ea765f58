package delegate

import (
	"path"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Path returns the path of the agent on the target. It is empty if the agent is fetched and the target has no directory
// for programs.
func Path(t osprofile.Target, a delivery.Agent) string {
	switch {
	case a.Path != "":
		return a.Path
	case isWindows(t):
		return delivery.WindowsAgentPath
	case a.Fetch == nil:
		return delivery.AgentPath
	case t.Profile.BinDir == "":
		return ""
	default:
		return path.Join(t.Profile.BinDir, "machineadm")
	}
}

// configurationPath returns the path of the agent's configuration on the target.
func configurationPath(t osprofile.Target) string {
	if isWindows(t) {
		return delivery.WindowsConfigurationPath
	}
	return delivery.ConfigurationPath
}

func isWindows(t osprofile.Target) bool { return t.Profile.Shell == osprofile.ShellPowerShell }

// fetchURL returns the URL of the agent.
func fetchURL(t osprofile.Target, f delivery.AgentFetch) string {
	return strings.NewReplacer("{version}", f.Version, "{arch}", t.Architecture, "{sha256}", f.SHA256).Replace(f.URL)
}

// Check returns findings if no agent can run on the target, and validates how the agent is provided. The path is that
// of the delivery options.
func Check(t osprofile.Target, a delivery.Agent, at report.Path) report.Report {
	if t.Profile.Shell == osprofile.ShellNone {
		return report.Report{report.Errorf(at.Field("mode"),
			"%s runs only the programs of its image, so that no agent can run", t.Profile.Name).
			To("use Native")}
	}
	return checkAgent(t, a, at.Field("agent"))
}

func checkAgent(t osprofile.Target, a delivery.Agent, at report.Path) report.Report {
	var found report.Report
	if a.Path != "" {
		found = append(found, checkPath(t, a.Path, at)...)
	}
	f := a.Fetch
	if f == nil {
		return found
	}
	at = at.Field("fetch")
	if Path(t, a) == "" {
		found = append(found, report.Errorf(at, "%s runs only the programs of its image", t.Profile.Name).
			To("add the agent to the image, or set path to a directory whose programs can be run"))
	}
	if strings.Contains(f.URL, "{version}") && f.Version == "" {
		found = append(found, report.Errorf(at.Field("version"), "the URL contains {version}, and version is not set").
			To("set version, or replace {version} in the URL"))
	}
	if strings.Contains(f.URL, "{arch}") && t.Architecture == "" {
		found = append(found, report.Errorf(at.Field("url"),
			"the URL contains {arch}, and the machine's architecture is not known").To("replace {arch} in the URL"))
	}
	return append(found, machine.Artifact{Name: "machineadm", URL: fetchURL(t, *f), SHA256: f.SHA256}.Check(at)...)
}

// checkPath returns findings for a path at which the target cannot start a program.
func checkPath(t osprofile.Target, path string, at report.Path) report.Report {
	if found := (machine.File{Path: path}).Check(at); found.HasErrors() {
		return found
	}
	at = at.Field("path")
	switch {
	case isWindows(t) && !machine.IsWindowsPath(path):
		return report.Report{report.Errorf(at, "%q is not a path of %s", path, t.Profile.Name).
			To("write a path such as %s", delivery.WindowsAgentPath)}
	case isWindows(t) && !strings.EqualFold(path[max(0, len(path)-4):], ".exe"):
		return report.Report{report.Errorf(at, "%q is not the name of a program of %s", path, t.Profile.Name).
			To("end it with .exe")}
	case !isWindows(t) && machine.IsWindowsPath(path):
		return report.Report{report.Errorf(at, "%q is a path of Windows", path).
			To("write a path such as %s", delivery.AgentPath)}
	default:
		return nil
	}
}
