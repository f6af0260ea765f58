package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/machineadm/machineadm/test/programs"
)

const (
	agentName     = "machineadm"
	cloudInitName = "cloud-init"
	shortName     = "cloud-init, needed modules alone"
)

// contestant is one way to bring a machine about.
type contestant struct {
	machine, name string
	// files are what the root has besides: a path on it, and the content.
	files map[string][]byte
	// commands are run one after the other, and measured.
	commands []string
}

// measured is what one contestant took in one round.
type measured struct {
	// Machine is the manifest's name.
	Machine string `json:"machine"`
	Name    string `json:"name"`
	// Seconds passed, and CPU are those of processors, in all commands together.
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
	// PeakMemory is the largest resident size in bytes of one of their processes.
	PeakMemory int64 `json:"peakMemory"`
}

// quiet keeps cloud-init from what would take long, or reach outside of the namespaces.
const quiet = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
growpart: {mode: "off"}
resize_rootfs: false
ssh_genkeytypes: []
ssh_deletekeys: false
`

// needed leaves cloud-init nothing to do but what the userdata asks for.
const needed = quiet + `cloud_init_modules: [bootcmd, write-files, users-groups]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-user]
`

const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

// contestants returns the agent and cloud-init, which apply the machine's manifest.
func contestants(ctx context.Context, dir, machine string) ([]contestant, error) {
	native, err := rendered(ctx, machine, "cloud-init")
	if err != nil {
		return nil, err
	}
	configuration, err := rendered(ctx, machine, "machineadm")
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(filepath.Join(dir, agentName))
	if err != nil {
		return nil, fmt.Errorf("read the agent: %w", err)
	}
	stages := []string{
		"cloud-init init --local", "cloud-init init", "cloud-init modules --mode=config",
		"cloud-init modules --mode=final",
	}
	const seed = "/var/lib/cloud/seed/nocloud/"
	boot := func(config string) map[string][]byte {
		return map[string][]byte{
			"/etc/cloud/cloud.cfg.d/99-test.cfg": []byte(config), seed + "user-data": native,
			seed + "meta-data": []byte("instance-id: i-test-1\nlocal-hostname: node-1\n"),
		}
	}
	return []contestant{
		{machine: machine, name: cloudInitName, files: boot(quiet), commands: stages},
		{machine: machine, name: shortName, files: boot(needed), commands: stages},
		{
			machine: machine, name: agentName, commands: []string{"machineadm apply --path /root/machineadm_config.yaml"},
			files: map[string][]byte{"/root/machineadm_config.yaml": configuration, "/usr/bin/machineadm": program},
		},
	}, nil
}

// rendered returns the machine in a format, by machineadmctl.
func rendered(ctx context.Context, machine, format string) ([]byte, error) {
	terminal, err := programs.Build(ctx, "machineadmctl")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, terminal, "render", "--format", format, "-f", filepath.Join(programs.Root(),
		"test/footprint", machine+".yaml"))
	var message bytes.Buffer
	cmd.Stderr = &message
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("render: %w\n%s", err, message.String())
	}
	return out, nil
}

// run brings a machine about, whose changes to the root go to the folder.
func (c contestant) run(ctx context.Context, lower, state string) (measured, error) {
	upper := filepath.Join(state, "upper")
	files := map[string][]byte{"/usr/local/sbin/kubeadm": []byte(stub), "/usr/local/sbin/systemctl": []byte(stub)}
	clock, err := os.ReadFile("/usr/bin/time")
	if err != nil {
		return measured{}, fmt.Errorf("read GNU time: %w", err)
	}
	files["/root/time"] = clock
	for path, content := range c.files {
		files[path] = content
	}
	for path, content := range files {
		if err := put(filepath.Join(upper, path), content); err != nil {
			return measured{}, err
		}
	}
	script := "rm -f /root/times\n"
	for _, command := range c.commands {
		script += "/root/time -a -o /root/times -f '%e %U %S %M' " + command + "\n"
	}
	script += "cp -r /run/cluster-api /root/\n"
	cmd := exec.CommandContext(ctx, filepath.Join(programs.Root(), "test/consumers/cloudinit/boot.sh"),
		lower, state, script)
	if out, err := cmd.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(state, "log"))
		return measured{}, fmt.Errorf("%s: %w\n%s%s", c.name, err, out, log)
	}
	if err := complete(upper); err != nil {
		log, _ := os.ReadFile(filepath.Join(state, "log"))
		return measured{}, fmt.Errorf("%s: %w\n%s", c.name, err, log)
	}
	return c.times(filepath.Join(upper, "root/times"))
}

func put(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // it is a machine's root
		return fmt.Errorf("furnish: %w", err)
	}
	mode := fs.FileMode(0o755)
	if strings.HasPrefix(filepath.Base(path), "user-data") || strings.HasSuffix(path, ".yaml") {
		mode = 0o600
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		return fmt.Errorf("furnish: %w", err)
	}
	return nil
}

// errIncomplete is that a machine is not what the manifest describes.
var errIncomplete = errors.New("the machine is not complete")

// complete reports whether the machine is what the manifest describes: a look at each kind of document, and the
// sentinel.
func complete(upper string) error {
	for path, want := range map[string]string{
		"root/cluster-api/bootstrap-success.complete": "success",
		"etc/app/9.conf":                                 "number 9",
		"etc/passwd":                                     "\nuser0:",
		"home/user0/.ssh/authorized_keys":                "ssh-ed25519",
		"etc/systemd/system/app0.service":                "ExecStart=",
		"etc/systemd/system/app0.service.d/10-more.conf": "MORE=yes",
		"etc/sysctl.d/90-machineadm.conf":                "vm.max_map_count",
		"etc/containerd/config.toml":                     "certs.d",
		"var/log/phases":                                 "pre\npost\n",
		"var/log/calls":                                  "kubeadm join",
	} {
		text, err := os.ReadFile(filepath.Join(upper, path))
		if err != nil || !bytes.Contains(text, []byte(want)) {
			return fmt.Errorf("%w: %s: %w", errIncomplete, path, err)
		}
	}
	return nil
}

// times reads what GNU time has written of each command.
func (c contestant) times(path string) (measured, error) {
	f, err := os.Open(path)
	if err != nil {
		return measured{}, fmt.Errorf("read times: %w", err)
	}
	defer func() { _ = f.Close() }()
	m := measured{Machine: c.machine, Name: c.name}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var seconds, user, system float64
		var kilobytes int64
		if _, err := fmt.Sscanf(lines.Text(), "%f %f %f %d", &seconds, &user, &system, &kilobytes); err != nil {
			return m, fmt.Errorf("read times: %q: %w", lines.Text(), err)
		}
		m.Seconds += seconds
		m.CPU += user + system
		m.PeakMemory = max(m.PeakMemory, kilobytes<<10)
	}
	return m, lines.Err()
}
