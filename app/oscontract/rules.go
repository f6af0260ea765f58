package oscontract

import (
	"path"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Service is the unit with which an image starts the agent without another first-boot tool.
const Service = "machineadm.service"

func (m machine) system() verdict {
	id := m.target.Profile.ID
	if _, known := osprofile.Lookup(id); !known {
		return unmet("the operating system %q is not known", id)
	}
	if m.target.Profile.Shell != osprofile.ShellPOSIX {
		return unmet("%s runs no program that it does not bring", m.target.Profile.Name)
	}
	return met("%s %s", m.target.Profile.Name, m.target.Release)
}

func (m machine) shell() verdict {
	if !m.Stat("/bin/sh").Executable {
		return unmet("there is no /bin/sh")
	}
	return met("/bin/sh")
}

func (m machine) systemd() verdict {
	if m.IsRunning() && !m.Stat("/run/systemd/system").Directory {
		return unmet("systemd is not the first process")
	}
	for _, at := range []string{"/usr/lib/systemd/systemd", "/lib/systemd/systemd"} {
		if m.Stat(at).Executable {
			return m.all("systemctl")
		}
	}
	return unmet("there is no systemd")
}

// firstBoot requires a tool that reads userdata. Ignition runs in the initial ramdisk, so the rule searches for its
// dracut module.
func (m machine) firstBoot() verdict {
	if m.HasProgram("cloud-init") {
		return met("cloud-init")
	}
	for _, at := range []string{"/usr/lib/dracut/modules.d/30ignition", "/usr/bin/ignition", "/usr/libexec/ignition"} {
		if m.Stat(at).Exists {
			return met("Ignition")
		}
	}
	if m.enabled(Service) {
		return met(Service)
	}
	return unmet("there is no cloud-init, no Ignition and no enabled %s", Service)
}

// enabled reports whether the unit exists and a target wants it.
func (m machine) enabled(unit string) bool {
	if !m.unit(unit) {
		return false
	}
	for _, dir := range []string{"/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"} {
		for _, target := range []string{"multi-user.target", "cloud-init.target", "default.target", "graphical.target"} {
			if m.Stat(dir + "/" + target + ".wants/" + unit).Exists {
				return true
			}
		}
	}
	return false
}

func (m machine) agent() verdict {
	switch at := m.Stat(delivery.AgentPath); {
	case !at.Exists:
		return unmet("there is no %s", delivery.AgentPath)
	case !at.Regular || !at.Executable:
		return unmet("%s is not a program", delivery.AgentPath)
	case at.Untrusted:
		return unmet("%s is not root's alone", delivery.AgentPath)
	default:
		return met(delivery.AgentPath)
	}
}

// owners checks the directories of programs and configuration that root uses; those that do not exist yet are created.
func (m machine) owners() verdict {
	for _, dir := range []string{
		path.Dir(delivery.AgentPath), path.Dir(delivery.ConfigurationPath), "/var/lib/machineadm", "/usr/libexec/machineadm",
		"/usr/local/libexec/machineadm",
		"/etc/systemd/system",
	} {
		for at := dir; at != "/"; at = path.Dir(at) {
			if m.Stat(at).Untrusted {
				return unmet("users other than root can write %s", at)
			}
		}
	}
	if m.Stat("/").Untrusted {
		return unmet("users other than root can write /")
	}
	return met("root's alone")
}

func (m machine) state() verdict {
	if !m.Stat("/var/lib").Directory {
		return unmet("there is no directory /var/lib")
	}
	if !m.IsRunning() {
		return met("/var/lib")
	}
	switch temporary, writable := m.MountInfo("/var/lib"); {
	case temporary:
		return unmet("a reboot clears /var/lib")
	case !writable:
		return unmet("/var/lib is mounted read-only")
	default:
		return met("/var/lib")
	}
}

func (m machine) run() verdict {
	if !m.Stat("/run").Directory {
		return unmet("there is no directory /run")
	}
	if !m.IsRunning() {
		return verdict{oscontract.Unknown, "only a running machine shows whether a reboot clears /run"}
	}
	if temporary, _ := m.MountInfo("/run"); !temporary {
		return unmet("/run is on a disk")
	}
	return met("/run")
}

// setting returns the value of a key in a file of lines KEY=VALUE.
func (m machine) setting(file, key string) string {
	data, err := m.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if value, is := strings.CutPrefix(strings.TrimSpace(line), key+"="); is {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (m machine) labels() verdict {
	if mode := m.setting("/etc/selinux/config", "SELINUX"); mode != "enforcing" {
		return met("SELinux is not enforced")
	}
	return m.all("matchpathcon")
}
