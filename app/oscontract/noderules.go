package oscontract

import (
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/oscontract"
)

func (m machine) trust() verdict {
	t := m.target.Profile.Trust
	if t.Directory == "" {
		return verdict{oscontract.Unknown, "the profile has no trust store"}
	}
	program, _, _ := strings.Cut(t.Command, " ")
	if !m.HasProgram(program) {
		return unmet("there is no %s", program)
	}
	if !m.Stat(t.Directory).Directory {
		return unmet("there is no directory %s", t.Directory)
	}
	return met("%s, %s", program, t.Directory)
}

func (m machine) runtime() verdict {
	for _, name := range []string{"containerd", "crio"} {
		if m.HasProgram(name) && m.unit(name+".service") {
			return met("%s", name)
		}
	}
	return unmet("there is neither containerd nor crio with its unit")
}

func (m machine) kubernetes() verdict {
	if v := m.all("kubeadm", "kubelet"); v.outcome != oscontract.Met {
		return v
	}
	return m.units("kubelet.service")
}

// time requires exactly one time daemon. It detects daemons by their programs, like the agent.
func (m machine) time() verdict {
	var found []string
	for name, at := range map[string][]string{
		"chronyd": {"/usr/sbin/chronyd"}, "ntpd": {"/usr/sbin/ntpd"},
		"systemd-timesyncd": {"/usr/lib/systemd/systemd-timesyncd", "/lib/systemd/systemd-timesyncd"},
	} {
		if m.Stat(at[0]).Executable || m.Stat(at[len(at)-1]).Executable {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 0:
		return unmet("there is no time daemon")
	case 1:
		return met("%s", found[0])
	default:
		return unmet("there are %d time daemons", len(found))
	}
}

func (m machine) noSwap() verdict {
	table, err := m.ReadFile("/etc/fstab")
	if err != nil {
		return met("there is no /etc/fstab")
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 2 && !strings.HasPrefix(fields[0], "#") && fields[2] == "swap" {
			return unmet("/etc/fstab has the swap space %s", fields[0])
		}
	}
	return met("/etc/fstab has none")
}

// unused requires that the image contains no state of an earlier machine. A prepared image may contain a journal, which
// later runs continue.
func (m machine) unused() verdict {
	if m.IsRunning() {
		return verdict{oscontract.Unknown, "this is a machine and no image"}
	}
	for _, trace := range []string{
		delivery.ConfigurationPath, delivery.BootstrapPath, "/var/lib/machineadm/done", delivery.StartedPath,
		"/var/lib/machineadm/failure.json", "/run/cluster-api/bootstrap-success.complete", "/etc/kubernetes/kubelet.conf",
		"/etc/kubernetes/admin.conf", "/etc/kubernetes/pki/ca.key", "/var/lib/kubelet/pki", "/var/lib/etcd/member",
	} {
		if m.Stat(trace).Exists {
			return unmet("there is %s", trace)
		}
	}
	return met("no trace of a machine")
}

func (m machine) identity() verdict {
	if m.IsRunning() {
		return verdict{oscontract.Unknown, "this is a machine and no image"}
	}
	id, err := m.ReadFile("/etc/machine-id")
	if text := strings.TrimSpace(string(id)); err == nil && text != "" && text != "uninitialized" {
		return unmet("/etc/machine-id has an identity")
	}
	return met("there is none")
}
