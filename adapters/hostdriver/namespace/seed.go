//go:build linux

package namespace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The names of the files of a machine; see the comment of the package.
const (
	lockFile     = "lock"
	machineFile  = "machine.json"
	rebootedFile = "rebooted"
	failureFile  = "failure"
	consoleFile  = "console"
	ignitionFile = "ignition"

	runDirectory     = "run"
	upperDirectory   = "upper"
	workDirectory    = "work"
	volumesDirectory = "volumes"
)

// machine is what the supervisor and the first process of a machine need. It contains no secrets.
type machine struct {
	// ID is the claim, and Directory the absolute path of its directory.
	ID, Directory string
	// UUID identifies the machine on this host.
	UUID string
	// Image is the absolute path of the root file system.
	Image    string
	Hostname string
	Network  Network
	// Addresses are the machine's, with the lengths of their subnets.
	Addresses []netip.Prefix
	// Ignition is the path of Ignition in the machine; empty for other formats.
	Ignition string
}

// seedFile is a file that the machine finds in its layer at its first boot.
type seedFile struct {
	path, content string
	mode          fs.FileMode
}

// The paths of the data in the machine.
const (
	dataDirectory = "var/lib/machineadm-hosts"
	dataFile      = dataDirectory + "/data"
	resultFile    = dataDirectory + "/result"
	logFile       = dataDirectory + "/log"
	bootUnit      = "machineadm-host.service"
	seedDirectory = "var/lib/cloud/seed/nocloud"
)

// prepare writes everything that the machine needs, in place of what an earlier call wrote that did not end.
func prepare(p *place.Place, network Network, id string, image *image, boot ports.HostBoot) (*machine, error) {
	if err := p.RemoveAll(id); err != nil {
		return nil, err
	}
	addresses, err := lease(p.Base, network.Subnets, p.In(id))
	if err != nil {
		return nil, err
	}
	m := &machine{
		ID: id, Directory: p.Full(id), UUID: p.UUID(id), Image: image.path,
		Hostname: host.Line(boot.Hostname, host.MaxHostname), Network: network, Addresses: addresses,
	}
	files := append(m.systemFiles(), bootFiles(m, image, boot)...)
	for _, f := range files {
		if err := put(p, path.Join(id, upperDirectory, f.path), f); err != nil {
			return nil, err
		}
	}
	if boot.Format == ports.HostFormatIgnition {
		m.Ignition = image.program(boot.Format)
		if err := put(p, path.Join(id, ignitionFile), seedFile{
			content: string(boot.Data.Reveal()),
			mode:    0o600,
		}); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return m, atomicfile.Replace(p.Full(id, machineFile), text, 0o600)
}

// put writes a file with its directories, whose modes do not depend on the umask of the controller.
func put(p *place.Place, name string, f seedFile) error {
	dir := path.Dir(name)
	if err := p.Base.MkdirAll(p.In(dir), 0o755); err != nil {
		return err
	}
	for ; strings.Contains(dir, "/"); dir = path.Dir(dir) {
		mode := fs.FileMode(0o755)
		if strings.HasSuffix(dir, "/"+dataDirectory) || strings.HasSuffix(dir, "/"+seedDirectory) {
			mode = 0o700
		}
		if err := p.Base.Chmod(p.In(dir), mode); err != nil {
			return err
		}
	}
	file, err := p.Base.OpenFile(p.In(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if _, err := file.WriteString(f.content); err != nil {
		return err
	}
	return errors.Join(file.Chmod(f.mode), file.Sync())
}

// systemFiles returns the names and addresses of the machine.
func (m *machine) systemFiles() []seedFile {
	hosts := "127.0.0.1 localhost\n::1 localhost\n"
	for _, a := range m.Addresses {
		hosts += a.Addr().String() + " " + m.Hostname + "\n"
	}
	var servers strings.Builder
	for _, a := range m.Network.Nameservers {
		servers.WriteString("nameserver " + a.String() + "\n")
	}
	if len(m.Network.Nameservers) == 0 {
		// Queries fail at once.
		servers.WriteString("nameserver 127.0.0.1\n")
	}
	return []seedFile{
		{"etc/hosts", hosts, 0o644},
		{"etc/hostname", m.Hostname + "\n", 0o644},
		{"etc/resolv.conf", servers.String(), 0o644},
	}
}

// bootFiles returns the data in the form in which the program for its format finds it.
func bootFiles(m *machine, image *image, boot ports.HostBoot) []seedFile {
	data := string(boot.Data.Reveal())
	identity := seedFile{"etc/machine-id", strings.ReplaceAll(m.UUID, "-", "") + "\n", 0o444}
	disabled := seedFile{"etc/cloud/cloud-init.disabled", "", 0o644}
	switch boot.Format {
	case ports.HostFormatCloudConfig:
		return append(cloudInitFiles(m, boot), identity)
	case ports.HostFormatIgnition:
		// Units are enabled by presets at the first boot, which systemd recognises by this file.
		return []seedFile{{"etc/machine-id", "uninitialized\n", 0o444}, disabled}
	case ports.HostFormatAgent:
		command := image.program(boot.Format) + " apply --path=/" + dataFile
		return append(unitFiles(command), seedFile{dataFile, data, 0o600}, identity, disabled)
	case ports.HostFormatShell:
		return append(unitFiles("/"+dataFile), seedFile{dataFile, data, 0o700}, identity, disabled)
	}
	return nil
}

// cloudInitFiles returns a NoCloud seed. The driver has configured the network already.
func cloudInitFiles(m *machine, boot ports.HostBoot) []seedFile {
	// JSON is YAML.
	metadata, _ := json.Marshal(map[string]string{
		"instance-id": m.UUID, "local-hostname": m.Hostname, "provider_id": boot.ProviderID,
	})
	return []seedFile{
		{seedDirectory + "/meta-data", string(metadata) + "\n", 0o600},
		{seedDirectory + "/user-data", string(boot.Data.Reveal()), 0o600},
		{
			"etc/cloud/cloud.cfg.d/99-machineadm.cfg",
			"datasource_list: [NoCloud]\nnetwork: {config: disabled}\n", 0o644,
		},
	}
}

// unitFiles returns the unit that runs the command once, and its link in the target of a started system. The directory
// "started" exists as soon as the command was started, and the file "result" contains the exit code. A shutdown is not
// a result.
func unitFiles(command string) []seedFile {
	const directory = "/" + dataDirectory
	unit := fmt.Sprintf(`[Unit]
Description=Bootstrap data of the machine
Wants=network-online.target
After=network-online.target
ConditionPathExists=!%[1]s/started

[Service]
Type=oneshot
WorkingDirectory=/
Environment=HOME=/root
ExecStartPre=/bin/mkdir %[1]s/started
ExecStart=%[2]s
ExecStopPost=/bin/sh -c '[ $EXIT_STATUS = TERM ] || [ $EXIT_STATUS = 143 ] || {\
 rm %[1]s/data; echo $EXIT_STATUS >%[1]s/result; }'
StandardOutput=append:/%[3]s
StandardError=inherit
TimeoutStartSec=infinity
`, directory, command, logFile)
	return []seedFile{
		{"etc/systemd/system/" + bootUnit, unit, 0o644},
		{
			"etc/systemd/system/multi-user.target.d/machineadm-host.conf",
			"[Unit]\nWants=" + bootUnit + "\n", 0o644,
		},
	}
}
