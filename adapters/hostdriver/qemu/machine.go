//go:build linux

package qemu

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The programs.
const (
	qemuProgram  = "qemu-system-x86_64"
	imageProgram = "qemu-img"
)

// The defaults of a machine, as the API documents them.
const (
	defaultCPUs      = 2
	defaultMemoryMiB = 2048
)

// The files of a machine; see the comment of the package.
const (
	diskFile    = "disk"
	reportFile  = "report"
	consoleFile = "console"
	logFile     = "log"
)

// reportSize is the size of the disk to which the machine reports.
const reportSize = host.MaxOutput

// prepare writes the files of the machine, in place of what an earlier call wrote that did not end.
func prepare(ctx context.Context, p *place.Place, id string, image image, target ports.HostTarget, kind string,
	boot ports.HostBoot,
) error {
	for _, name := range []string{diskFile, reportFile, seedFile, configFile, consoleFile, logFile, socketFile} {
		if err := p.Base.Remove(p.In(id, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	name, content, err := seed(kind, p.UUID(id), boot)
	if err != nil {
		return err
	}
	if err := p.Base.WriteFile(p.In(id, name), content, 0o600); err != nil {
		return err
	}
	if err := p.Base.WriteFile(p.In(id, reportFile), make([]byte, reportSize), 0o600); err != nil {
		return err
	}
	args := []string{"create", "-q", "-f", formatQCOW2, "-b", image.path, "-F", image.format, diskFile}
	if size := diskBytes(target.Machine); size != 0 {
		args = append(args, strconv.FormatInt(size, 10))
	}
	create := exec.CommandContext(ctx, imageProgram, args...)
	create.Dir = p.Full(id)
	if output, err := create.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", imageProgram, err, host.Line(string(output), host.MaxFailure))
	}
	return p.Base.Chmod(p.In(id, diskFile), 0o600)
}

// arguments returns the arguments of QEMU, which runs in the directory of the machine. They contain no secrets.
func (d *Driver) arguments(uuid string, m *ports.HostMachineSettings, kind string) []string {
	accelerator := "tcg"
	if m.KVM {
		accelerator = "kvm"
	}
	args := []string{
		"-no-user-config", "-nodefaults", "-display", "none", "-S",
		"-machine", "pc,accel=" + accelerator, "-cpu", "max",
		"-smp", strconv.Itoa(cmp.Or(m.CPUs, defaultCPUs)), "-m", strconv.Itoa(cmp.Or(m.MemoryMiB, defaultMemoryMiB)),
		"-qmp", "unix:" + socketFile + ",server=on,wait=off", "-serial", "file:" + consoleFile,
		"-device", "virtio-rng-pci",
	}
	args = append(args, virtioDisk(diskFile, "format=qcow2", "bootindex=0")...)
	if kind == seedFirmwareConfig {
		// Fedora CoreOS reads the first one, and Flatcar the second one.
		for _, name := range []string{"opt/com.coreos/config", "opt/org.flatcar-linux/config"} {
			args = append(args, "-fw_cfg", "name="+name+",file="+configFile)
		}
	} else {
		args = append(args, virtioDisk(seedFile, "format=raw,readonly=on", "serial=machineadm-seed")...)
	}
	network := "user,id=net"
	if d.config.Bridge != "" {
		network = "bridge,id=net,br=" + d.config.Bridge
	}
	sum := sha256.Sum256([]byte(uuid))
	args = append(args, virtioDisk(reportFile, "format=raw", "serial=machineadm-report")...)
	// The prefix is QEMU's.
	return append(args, "-netdev", network, "-device",
		fmt.Sprintf("virtio-net-pci,netdev=net,mac=52:54:00:%02x:%02x:%02x", sum[0], sum[1], sum[2]))
}

// virtioDisk returns the arguments for a disk. The machine numbers its disks by their order.
func virtioDisk(file, drive, device string) []string {
	id := strings.TrimSuffix(file, ".iso")
	return []string{
		"-drive", "file=" + file + ",if=none,id=" + id + "," + drive,
		"-device", "virtio-blk-pci,drive=" + id + "," + device,
	}
}

// fileLimit returns the size that a file of QEMU may have. It is enough for a layer in which every block of the disk
// was written, and prevents that a machine fills the disk of this host with output on its console.
func fileLimit(disk int64) uint64 { return uint64(disk+disk/16) + 64<<20 }

// pollInterval is how often the driver looks whether QEMU answers.
const pollInterval = 20 * time.Millisecond

// launch starts QEMU and returns when it answers. QEMU does not run the machine yet.
func launch(ctx context.Context, p *place.Place, id string, disk int64, args []string) error {
	log, err := p.Base.OpenFile(p.In(id, logFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	qemu := exec.Command(qemuProgram, args...)
	qemu.Dir, qemu.Stdout, qemu.Stderr = p.Full(id), log, log
	qemu.Env = []string{"LANG=C.UTF-8"}
	qemu.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := qemu.Start(); err != nil {
		return err
	}
	limit := &unix.Rlimit{Cur: fileLimit(disk), Max: fileLimit(disk)}
	if err := unix.Prlimit(qemu.Process.Pid, unix.RLIMIT_FSIZE, limit, nil); err != nil {
		return errors.Join(err, qemu.Process.Kill(), qemu.Wait())
	}
	ended := make(chan struct{})
	go func() {
		_ = qemu.Wait()
		close(ended)
	}()
	for {
		current, err := state(ctx, p, id)
		if err != nil || current == statePrelaunch {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return fmt.Errorf("%s: %s", qemuProgram, host.Line(p.Read(host.MaxFailure, id, logFile), host.MaxFailure))
		case <-time.After(pollInterval):
		}
	}
}

// run removes the seed, which QEMU has opened, records the start and runs the machine.
func run(ctx context.Context, p *place.Place, id string) error {
	for _, name := range []string{seedFile, configFile} {
		if err := p.Base.Remove(p.In(id, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := p.Base.Mkdir(p.In(id, place.StartedFile), 0o700); err != nil {
		return err
	}
	return control(ctx, p, id, "cont", nil)
}
