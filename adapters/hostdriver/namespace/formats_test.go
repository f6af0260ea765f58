//go:build linux && !unit

package namespace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// The data of the tests contains canary.Mark.
const (
	// waitingScript ends as soon as the test has seen it run.
	waitingScript = "#!/bin/sh\nkey=" + canary.Mark + "\nuntil [ -e /run/cluster-api/finish ]; do sleep 0.1; done\n" +
		"echo success >/run/cluster-api/bootstrap-success.complete\n"
	configuration = "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /root/key, secret: true, content: " +
		canary.Mark + "}\n"
	// cloudConfig succeeds if cloud-init knows the host name and the provider ID of the machine.
	cloudConfig = `#cloud-config
write_files:
- {path: /root/key, permissions: '0600', content: ` + canary.Mark + `}
runcmd:
- test "$(hostname)" = node-1
- grep -q machineadm-hosts:///default/node-1 /run/cloud-init/instance-data.json
- echo success >/run/cluster-api/bootstrap-success.complete
`
	ignitionFile = `"files": [{"path": "/root/key", "mode": 384, "contents": {"source": "data:,` + canary.Mark + `"}}]`
	// ignitionConfig enables a unit, which a preset does at the first boot.
	ignitionConfig = `{"ignition": {"version": "3.4.0"}, "storage": {` + ignitionFile + `}, "systemd": {"units": [{
  "name": "bootstrap.service", "enabled": true,
  "contents": "[Service]\nType=oneshot\nExecStart=/bin/cp /etc/hostname /run/cluster-api/bootstrap-success.complete\n` +
		`[Install]\nWantedBy=multi-user.target\n"
}]}}
`
	// ignitionDisk fails, because the machine has no disk.
	ignitionDisk = `{"ignition": {"version": "3.4.0"}, "storage": {"disks": [{"device": "/dev/missing"}], ` +
		ignitionFile + `}}`
)

// TestFormats boots machines with the real programs that read each format. While and after they boot, the data is in no
// argument, environment, log, record or readable file.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, root string
		format     ports.HostFormat
		data       string
		// program is in the arguments of a process, which runs until the test has seen it. It is empty if the data ends on
		// its own.
		program string
		want    host.Phase
	}{
		{
			"a shell script", "bookworm", ports.HostFormatShell, waitingScript, "/var/lib/machineadm-hosts/data",
			host.PhaseSucceeded,
		},
		{
			"a shell script that does not exist as a program", "bookworm", ports.HostFormatShell, "#!/bin/missing\n",
			"", host.PhaseFailed,
		},
		{
			"machine configuration by the agent", "programs", ports.HostFormatAgent, configuration, "",
			host.PhaseSucceeded,
		},
		{
			"cloud-config by cloud-init", "bookworm", ports.HostFormatCloudConfig, cloudConfig, "",
			host.PhaseSucceeded,
		},
		{
			"Ignition before systemd starts", "programs", ports.HostFormatIgnition, ignitionConfig, "",
			host.PhaseSucceeded,
		},
		{
			"an Ignition configuration that fails", "programs", ports.HostFormatIgnition, ignitionDisk, "",
			host.PhaseFailed,
		},
		{
			"an Ignition configuration that is invalid", "programs", ports.HostFormatIgnition, "{}", "",
			host.PhaseFailed,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			if c.root == "programs" {
				w.addPrograms(t)
			}
			seen := w.watchProcesses(t, c.program)
			target := w.target(t)
			target.Machine.Root = "roots/" + c.root
			w.boots(t, target, ports.HostBoot{
				Format: c.format, Data: secret.FromString(c.data), Hostname: "node-1", ProviderID: providerID,
			})
			canary.Check(t, "a readable file", w.readable())
			if c.program != "" {
				<-seen
				w.finish(t, target, "")
			}
			o := w.ended(t, target)
			if o.Phase != c.want || (o.Failure != "") != (c.want == host.PhaseFailed) {
				t.Errorf("%+v", o)
			}
			canary.Check(t, "the failure", o.Failure)
			canary.Check(t, "a readable file", w.readable())
			w.checkRecords(t, target)
		})
	}
}

const (
	claimID    = "0b4e1c1e-0000-4000-8000-000000000003"
	providerID = "machineadm-hosts:///default/node-1"
)

func (w *world) boots(t *testing.T, target ports.HostTarget, boot ports.HostBoot) {
	t.Helper()
	if err := w.driver().Claim(t.Context(), target, claimID); err != nil {
		t.Fatal(err)
	}
	if err := w.driver().Boot(t.Context(), target, claimID, boot); err != nil {
		t.Fatal(err)
	}
}

// reaches waits for an observation.
func (w *world) reaches(t *testing.T, target ports.HostTarget, reached func(ports.HostObservation) bool,
) ports.HostObservation {
	t.Helper()
	for {
		o, err := w.driver().Observe(t.Context(), target, claimID)
		if err != nil {
			t.Fatal(err)
		}
		if reached(o) {
			return o
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (w *world) ended(t *testing.T, target ports.HostTarget) ports.HostObservation {
	t.Helper()
	return w.reaches(t, target, func(o ports.HostObservation) bool { return o.Phase != host.PhaseRunning })
}

// kubelet is a program with the name and the arguments of kubelet.
const kubelet = `#!/bin/sh
printf '#!/bin/sh\nsleep infinity\n' >/usr/bin/kubelet
chmod 755 /usr/bin/kubelet
/usr/bin/kubelet --provider-id=` + providerID + ` &
ip -o address show scope global >/run/cluster-api/addresses
echo success >/run/cluster-api/bootstrap-success.complete
wait
`

// TestObservesKubelet checks the provider ID, the name and the addresses against those in the machine.
func TestObservesKubelet(t *testing.T) {
	w := newWorld(t)
	target := w.target(t)
	w.boots(t, target, shell(kubelet))
	o := w.reaches(t, target, func(o ports.HostObservation) bool {
		return o.Phase == host.PhaseSucceeded && o.ProviderID != ""
	})
	if o.ProviderID != providerID || o.Hostname != "node-1" || len(o.Addresses) != 2 {
		t.Errorf("%+v", o)
	}
	text, err := os.ReadFile(w.glob(target, "run/addresses")[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range o.Addresses {
		if !strings.Contains(string(text), " "+a+"/") {
			t.Errorf("%s is not an address of the machine:\n%s", a, text)
		}
	}
}

// TestMachineEndsWithoutResult ends machines in the ways in which nothing starts them again.
func TestMachineEndsWithoutResult(t *testing.T) {
	for name, command := range map[string]string{
		"a halt":                           "systemctl halt --force --force",
		"the end of the init's supervisor": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			target := w.target(t)
			w.boots(t, target, shell(data))
			init, err := w.driver().Process(t.Context(), target)
			if err != nil || init == 0 {
				t.Fatal(init, err)
			}
			if found := namespace.Groups(t, target, claimID); len(found) == 0 {
				t.Error("the machine has no control groups")
			}
			if command == "" {
				killParent(t, init)
			} else {
				w.enter(t, init, strings.Fields(command)...)
			}
			if o := w.ended(t, target); o.Phase != host.PhaseInterrupted {
				t.Errorf("%+v", o)
			}
			// The first process ends a moment after its supervisor.
			for i := 0; syscall.Kill(init, 0) == nil; i++ {
				time.Sleep(50 * time.Millisecond)
			}
			if err := w.driver().Release(t.Context(), target, claimID); err != nil {
				t.Fatal(err)
			}
			if left := namespace.Groups(t, target, claimID); len(left) > 0 {
				t.Errorf("control groups are left: %q", left)
			}
			if o := w.ended(t, target); o.Phase != host.PhaseReleased {
				t.Errorf("%+v", o)
			}
		})
	}
}

func killParent(t *testing.T, pid int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	// The fourth field; the second one contains no spaces here.
	parent, err := strconv.Atoi(strings.Fields(string(status))[3])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(parent, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// TestControlGroupsOfVersion2 runs a case of the suite where this host shows control groups of version 2 only.
func TestControlGroupsOfVersion2(t *testing.T) {
	const mounts = `set -e
umount --recursive --lazy /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
exec "$0" -test.run='^TestConforms$/^(a_run_succeeds|a_result_survives_a_reboot|a_running_host_is_released)$' -test.v`
	out, err := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", mounts, self(t)).CombinedOutput()
	if err != nil || strings.Count(string(out), "    --- PASS: ") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// addRoot adds a root: Debian with programs.
func (w *world) addRoot(t *testing.T, name string, files map[string]string) {
	t.Helper()
	added := filepath.Join(t.TempDir(), name)
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(added, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(added, path), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	debian.Mount(t, "overlay", filepath.Join(w.directory, "roots", name), "overlay", 0,
		"lowerdir="+added+":"+debian.Root(t, "bookworm"))
}

// addPrograms adds the root "programs": Debian with the agent and with Ignition, which has no labels to set.
func (w *world) addPrograms(t *testing.T) {
	t.Helper()
	agent, err := programs.Build(t.Context(), "machineadm")
	if err != nil {
		t.Fatal(err)
	}
	added := map[string]string{"usr/sbin/setfiles": "#!/bin/sh\n"}
	for name, path := range map[string]string{
		"usr/bin/ignition": debian.Tool(t, "ignition"), "usr/bin/machineadm": agent,
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		added[name] = string(content)
	}
	w.addRoot(t, "programs", added)
}
