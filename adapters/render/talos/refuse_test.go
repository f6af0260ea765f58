package talos_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/golden"
)

// refusal is a plan that Talos does not support.
type refusal struct {
	reason, release string
	values          []document.Value
	steps           []action.Operation
}

// compare holds the findings of each case to a golden; each has to have an error, at the path of a document of its own.
func compare(t *testing.T, name string, cases map[string]refusal) {
	t.Helper()
	var all strings.Builder
	for _, key := range slices.Sorted(maps.Keys(cases)) {
		tc := cases[key]
		p := planOf(t, target(t, tc.release), tc.values...)
		for _, op := range tc.steps {
			p.Steps = append(p.Steps, planStep(0, action.Of(op)[0]))
		}
		rendering, findings := render(t, p)
		if !findings.HasErrors() || !rendering.Payload.Data.IsZero() {
			t.Errorf("%s is not refused: %s", key, tc.reason)
		}
		fmt.Fprintf(&all, "%s (%s)\n", key, tc.reason)
		for _, f := range findings {
			if f.Severity == report.Info {
				continue
			}
			owned := func(d document.Document) bool { return f.Path.Under(d.Source.Path) }
			if !slices.ContainsFunc(p.Documents, owned) && f.Path != "spec.formatOptions.version" {
				t.Errorf("%s: the finding is about no document: %s", key, f)
			}
			fmt.Fprintf(&all, "  %s\n", f)
		}
	}
	golden.File(t, "testdata/refused/"+name+".txt", []byte(all.String()))
}

// with returns the values with a worker before them.
func with(values ...document.Value) []document.Value {
	return append([]document.Value{worker()}, values...)
}

func plane(change func(*node.ControlPlaneConfig)) []document.Value {
	var c node.ControlPlaneConfig
	change(&c)
	return []document.Value{controlPlane(), c}
}

func nodeWith(change func(*node.NodeConfig)) []document.Value {
	return []document.Value{controlPlane(change)}
}

func TestRefusedMachines(t *testing.T) {
	on := true
	command := machine.Command{Phase: document.PhasePre, Script: "echo secret-canary"}
	file := func(f machine.File) []document.Value { return with(f) }
	registry := func(r ...machine.Registry) []document.Value { return with(machine.ContainerdConfig{Registries: r}) }
	mirror := func(e machine.RegistryEndpoint) []document.Value {
		return registry(machine.Registry{Host: "a.example", Mirrors: []machine.RegistryEndpoint{e}})
	}
	skip := &machine.RegistryTLS{InsecureSkipVerify: true}
	auth := func(password string) *machine.RegistryAuth {
		return &machine.RegistryAuth{Username: "u", Password: secret.FromString(password)}
	}
	containerd := func(c machine.ContainerdConfig) []document.Value { return with(c) }
	compare(t, "machine", map[string]refusal{
		"command":  {reason: "there is no shell", values: with(command)},
		"user":     {reason: "there are no users", values: with(machine.User{Name: "a"}, machine.Group{Name: "b"})},
		"packages": {reason: "there are none", values: with(machine.PackagesConfig{Install: []string{"vim"}})},
		"unit":     {reason: "there is no systemd", values: with(machine.Unit{Name: "a.service", Enabled: &on})},
		"CRI-O":    {reason: "containerd runs containers", values: with(machine.CRIOConfig{})},
		"domain":   {reason: "Talos has no logins", values: with(machine.DomainJoin{})},
		"host": {reason: "Talos has no console users", values: with(machine.HostConfig{
			Hostname: "other",
			TimeZone: "Europe/Berlin", Locale: "de-DE", UILanguage: "de-DE", Keyboard: "de-DE",
		})},
		"updates": {reason: "it does not update itself", values: with(machine.OSUpdatesConfig{Enabled: true})},
		"kubernetes": {
			reason: "images, no files",
			values: with(machine.KubernetesConfig{
				Provision: machine.ProvisionPackage, Packages: []string{"kubelet"},
				Artifacts: []machine.Artifact{{}},
			}),
		},
		"sysctl": {
			reason: "no patterns",
			values: with(machine.SysctlConfig{Settings: []machine.Sysctl{
				{Name: "net.*.x", Value: "1"},
				{Name: "-a.b", Value: "1"},
			}}),
		},
		"time daemon": {reason: "it has its own", values: with(machine.TimeSyncConfig{
			Daemon:  machine.TimeDaemonChronyd,
			Servers: []string{"a"},
		})},
		"empty CA": {
			reason: "the library takes it",
			values: with(machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(" \n")}}}),
		},
		"outside": {
			reason: "the library takes it, and Talos does not boot",
			values: file(machine.File{Path: "/etc/motd"}),
		},
		"beside": {reason: "/var2 is not /var", values: file(machine.File{Path: "/var2/x"})},
		"static pod file": {
			reason: "kubelet does not read the directory",
			values: file(machine.File{Path: "/etc/kubernetes/manifests/a.yaml"}),
		},
		"append": {
			reason: "Talos would add to it at every boot",
			values: file(machine.File{Path: "/var/log/x", Append: true}),
		},
		"owner": {
			reason: "there are no users",
			values: file(machine.File{Path: "/var/x", Owner: machine.Owner{User: "app"}}),
		},
		"group": {
			reason: "there are no groups",
			values: file(machine.File{Path: "/var/x", Owner: machine.Owner{User: "root", Group: "1000"}}),
		},
		"mode": {reason: "the bits would be lost", values: file(machine.File{Path: "/var/x", Mode: 0o4755})},
		"fact": {
			reason: "nothing is filled in",
			values: file(machine.File{Path: "/var/x", Content: document.FromFact(document.FactZone)}),
		},
		"customization": {
			reason: "two set the same file",
			values: containerdAnd(machine.File{Path: "/etc/cri/conf.d/20-customization.part"}),
		},
		"version": {reason: "one version", values: containerd(machine.ContainerdConfig{Version: 2})},
		"cgroups": {
			reason: "no systemd",
			values: containerd(machine.ContainerdConfig{CgroupDriver: machine.CgroupDriverSystemd}),
		},
		"own proxy":    {reason: "one proxy", values: containerd(machine.ContainerdConfig{Proxy: &machine.ProxyConfig{}})},
		"TOML":         {reason: "not TOML", values: containerd(machine.ContainerdConfig{RawTOML: "secret-canary ="})},
		"TOML version": {reason: "one version", values: containerd(machine.ContainerdConfig{RawTOML: "version = 2"})},
		"TOML twice": {reason: "set twice", values: containerd(machine.ContainerdConfig{
			SandboxImage: "a", RawTOML: "[plugins.'io.containerd.cri.v1.images'.pinned_images]\nsandbox = 'b'\n",
		})},
		"TOML elsewhere": {reason: "no table", values: containerd(machine.ContainerdConfig{
			SandboxImage: "a",
			RawTOML:      "plugins = 1",
		})},
		"runc options": {reason: "their types are runc's", values: containerd(machine.ContainerdConfig{
			Runtimes: []machine.Runtime{{Name: "a", Options: map[string]string{"SystemdCgroup": "true"}}},
		})},
		"capability": {reason: "always both", values: mirror(machine.RegistryEndpoint{
			URL:          "https://m",
			Capabilities: []string{"pull"},
		})},
		"header": {reason: "none are sent", values: mirror(machine.RegistryEndpoint{
			URL:    "https://m",
			Header: map[string]string{"A": "b"},
		})},
		"default auth": {
			reason: "of no host in particular", values: registry(machine.Registry{Host: "_default", Auth: auth("p")}),
		},
		"two passwords": {reason: "one host, one password", values: registry(
			machine.Registry{Host: "a.example", Auth: auth("secret-canary")},
			machine.Registry{Host: "b.example", Mirrors: []machine.RegistryEndpoint{{
				URL:  "https://a.example",
				Auth: auth("other-canary"),
			}}},
		)},
		"TLS of http": {reason: "Talos pulls no image from it", values: registry(
			machine.Registry{Host: "b.example", Server: "http://b.example", TLS: skip},
			machine.Registry{Host: "_default", Mirrors: []machine.RegistryEndpoint{{URL: "HTTP://cache:5000", TLS: skip}}},
		)},
		"some paths": {
			reason: "one flag for all before 1.12", release: "1.11.0",
			values: registry(machine.Registry{Host: "a.example", Mirrors: []machine.RegistryEndpoint{
				{URL: "https://m/v2", OverridePath: true}, {URL: "https://n"},
			}}),
		},
	})
}

func containerdAnd(values ...document.Value) []document.Value {
	return with(append([]document.Value{machine.ContainerdConfig{SandboxImage: "a"}}, values...)...)
}

func TestRefusedDisks(t *testing.T) {
	volume := func(d machine.Disk, f machine.Filesystem, m machine.Mount) []document.Value { return with(d, f, m) }
	disk := func(p ...machine.Partition) machine.Disk { return machine.Disk{Device: "/dev/vdb", Partitions: p} }
	xfs := machine.Filesystem{Device: "/dev/vdb1", Format: "xfs"}
	data := machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data"}
	whole := with(machine.Filesystem{Device: "/dev/vdb", Format: "ext4"}, machine.Mount{
		Source: "/dev/vdb",
		Path:   "/var/mnt/data",
	})
	compare(t, "disk", map[string]refusal{
		"wipe": {reason: "nothing is wiped", values: volume(machine.Disk{
			Device: "/dev/vdb", Wipe: true,
			Table: machine.TableMBR, Partitions: make([]machine.Partition, 1),
		}, xfs, data)},
		"empty": {reason: "no volume", values: with(disk())},
		"partition": {
			reason: "Talos numbers and places",
			values: volume(disk(machine.Partition{Number: 2, StartMiB: 1, TypeGUID: "x", Label: "mine"}), xfs, data),
		},
		"filesystem": {reason: "Talos formats", values: volume(disk(machine.Partition{}),
			machine.Filesystem{Device: "/dev/vdb1", Format: "btrfs", Label: "l", Wipe: true, Options: []string{"-f"}}, data)},
		"type": {reason: "another type", values: volume(disk(machine.Partition{}), xfs,
			machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/data", Type: "ext4"})},
		"place": {reason: "one directory", values: volume(disk(machine.Partition{}), xfs,
			machine.Mount{Source: "/dev/vdb1", Path: "/data"})},
		"name": {reason: "a volume's name", values: volume(disk(machine.Partition{}), xfs,
			machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/a b"})},
		"source": {reason: "by device alone", values: with(machine.Mount{Source: "LABEL=x", Path: "/var/mnt/data"})},
		"unmade": {reason: "nothing makes it", values: with(machine.Mount{Source: "/dev/vdz1", Path: "/var/mnt/data"})},
		"options": {reason: "no words", values: volume(disk(machine.Partition{}), xfs, machine.Mount{
			Source: "/dev/vdb1",
			Path:   "/var/mnt/data", Options: []string{"noatime", "noexec"},
		})},
		"old options": {
			reason: "no words before 1.13", release: "1.12.0",
			values: volume(disk(machine.Partition{}), xfs, machine.Mount{
				Source: "/dev/vdb1", Path: "/var/mnt/data",
				Options: []string{"noatime"},
			}),
		},
		"unmounted": {reason: "nothing uses it", values: with(disk(machine.Partition{}),
			machine.Filesystem{Device: "/dev/vdc", Format: "xfs"})},
		"twice": {reason: "one volume a partition", values: append(volume(disk(machine.Partition{}), xfs, data),
			machine.Mount{Source: "/dev/vdb1", Path: "/var/mnt/again"})},
		"no disk": {reason: "only disks are selected", values: with(xfs, data)},
		"no disk by label": {reason: "only disks are selected", values: with(
			machine.Filesystem{Device: "/dev/disk/by-partlabel/data", Format: "xfs"},
			machine.Mount{Source: "PARTLABEL=data", Path: "/var/mnt/data"})},
		"no disk for swap": {reason: "only disks are selected", values: with(machine.Swap{Device: "/dev/nvme0n1p2"})},
		"whole":            {reason: "since 1.12", release: "1.11.0", values: whole},
		"old ext4": {reason: "xfs alone before 1.10", release: "1.9.0", values: volume(disk(machine.Partition{}),
			machine.Filesystem{Device: "/dev/vdb1", Format: "ext4"}, data)},
		"swap file": {reason: "a partition", values: with(machine.Swap{Path: "/var/swap", SizeMiB: 1})},
		"old swap":  {reason: "since 1.11", release: "1.10.0", values: with(machine.Swap{Device: "/dev/vdb"})},
		"file on it": {reason: "it would be hidden", values: append(volume(disk(machine.Partition{}), xfs, data),
			machine.File{Path: "/var/mnt/data/x"})},
		"absurd size": {
			reason: "more than there are bytes",
			values: volume(disk(machine.Partition{SizeMiB: 1 << 62}), xfs, data),
		},
	})
}
