package delegate

import (
	"path"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Path returns where the agent stands on the target; empty if it is to be fetched and there is no place for it.
func Path(t osprofile.Target) string {
	a := t.Delivery.Agent
	switch {
	case a.Path != "":
		return a.Path
	case a.Fetch == nil:
		return delivery.AgentPath
	case t.Profile.BinDir == "":
		return ""
	default:
		return path.Join(t.Profile.BinDir, "machineadm")
	}
}

// address returns from where the agent is fetched.
func address(t osprofile.Target) string {
	f := t.Delivery.Agent.Fetch
	return strings.NewReplacer("{version}", f.Version, "{arch}", t.Architecture, "{sha256}", f.SHA256).Replace(f.URL)
}

// Check finds why no agent can run on the target, and what is wrong with how it is to come there. The path is that of
// the options of the delivery.
func Check(t osprofile.Target, at report.Path) report.Report {
	switch t.Profile.Shell {
	case osprofile.ShellNone:
		return report.Report{report.Errorf(at.Field("mode"),
			"%s runs no program that it does not bring, so that no agent can run there", t.Profile.Name).
			To("use Native")}
	case osprofile.ShellPowerShell:
		return report.Report{report.Errorf(at.Field("mode"), "userdata of %s does not start the agent yet", t.Profile.Name).
			To("use Native, or have the image start the agent")}
	default:
		return checkAgent(t, at.Field("agent"))
	}
}

func checkAgent(t osprofile.Target, at report.Path) report.Report {
	var found report.Report
	if t.Delivery.Agent.Path != "" {
		found = append(found, machine.File{Path: t.Delivery.Agent.Path}.Check(at)...)
	}
	f := t.Delivery.Agent.Fetch
	if f == nil {
		return found
	}
	at = at.Field("fetch")
	if Path(t) == "" {
		found = append(found, report.Errorf(at, "%s starts no program that it does not bring", t.Profile.Name).
			To("bring the agent in the image, or say in path where it can be put"))
	}
	if strings.Contains(f.URL, "{version}") && f.Version == "" {
		found = append(found, report.Errorf(at.Field("version"), "the URL asks for the version, and there is none").
			To("give one, or write it in place of {version}"))
	}
	if strings.Contains(f.URL, "{arch}") && t.Architecture == "" {
		found = append(found, report.Errorf(at.Field("url"), "the machine's architecture is not known").To(
			"write it in place of {arch}"))
	}
	return append(found, machine.Artifact{Name: "machineadm", URL: address(t), SHA256: f.SHA256}.Check(at)...)
}
