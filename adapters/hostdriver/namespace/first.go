//go:build linux

package namespace

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/secret"
)

// firstSettings is what the first process receives.
type firstSettings struct {
	machine
	// FirstBoot is false after a reboot.
	FirstBoot bool
}

// runFirst is the first process of a machine. File descriptor 3 has the settings, and then a message that it may
// continue; file descriptor 4 takes its messages.
func runFirst() error {
	// Namespaces of control groups belong to a thread, and so does the signal at the end of the supervisor.
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	from, to := json.NewDecoder(os.NewFile(3, "settings")), json.NewEncoder(os.NewFile(4, "report"))
	var s firstSettings
	if err := from.Decode(&s); err != nil {
		return err
	}
	config, err := s.enter()
	if err != nil {
		return errors.Join(err, to.Encode(reportOf(err)))
	}
	if err := to.Encode(startError{}); err != nil {
		return err
	}
	// The supervisor has recorded the start.
	if err := from.Decode(&struct{}{}); err != nil {
		return err
	}
	if s.FirstBoot && s.Ignition != "" {
		err = s.ignite(config)
	}
	if err == nil {
		err = s.executeInit()
	}
	return errors.Join(err, to.Encode(reportOf(err)))
}

// enter changes to the namespaces, the network and the root of the machine, and returns the Ignition configuration.
func (s *firstSettings) enter() (secret.Value, error) {
	unix.Umask(0)
	var config secret.Value
	if s.FirstBoot && s.Ignition != "" {
		text, err := os.ReadFile(s.file(ignitionFile))
		if err != nil {
			return config, err
		}
		config = secret.New(text)
	}
	all, err := hierarchies()
	if err != nil {
		return config, err
	}
	if err := dropCapabilities(); err != nil {
		return config, err
	}
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return config, fmt.Errorf("create a namespace of control groups: %w", err)
	}
	if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
		return config, fmt.Errorf("set the host name: %w", err)
	}
	if err := s.configure(); err != nil {
		return config, fmt.Errorf("configure the network: %w", err)
	}
	return config, s.mountRoot(all)
}

// ignite runs Ignition as an initramfs does, but after the root was mounted. It has no block devices, so that a
// configuration with disks fails.
func (s *firstSettings) ignite(config secret.Value) error {
	const directory = "/run/machineadm-ignition"
	if err := os.Mkdir(directory, 0o700); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(directory) }()
	if err := os.WriteFile(directory+"/config.ign", config.Reveal(), 0o600); err != nil {
		return err
	}
	for _, stage := range []string{"fetch", "disks", "mount", "files", "umount"} {
		ignition := exec.Command(s.Ignition, "--platform=file", "--stage="+stage, "--root=/",
			"--config-cache="+directory+"/cache", "--state-file="+directory+"/state", "--neednet="+directory+"/neednet",
			"--log-to-stdout")
		ignition.Env = append(environment(), "IGNITION_CONFIG_FILE="+directory+"/config.ign",
			"IGNITION_SYSTEM_CONFIG_DIR="+directory, "IGNITION_SYSTEM_RUNTIME_CONFIG_DIR="+directory,
			"IGNITION_SYSTEM_LOCAL_CONFIG_DIR="+directory)
		out, err := ignition.CombinedOutput()
		_, _ = fmt.Fprintln(os.Stdout, ignitionLog(string(out)))
		if err != nil {
			return fmt.Errorf("stage %s of Ignition failed: %w; its log is in the file %s", stage, err, s.file(consoleFile))
		}
	}
	return nil
}

// ignitionLog returns the log of Ignition's output. A stage that fails also prints the whole configuration.
func ignitionLog(output string) string {
	return strings.Join(regexp.MustCompile(`(?m)^[A-Z]+ +: .*$`).FindAllString(output, -1), "\n")
}

// dropCapabilities drops what changes this host even if the machine means itself: its clock, and the modules of the
// kernel. Services that need these capabilities do not start.
func dropCapabilities() error {
	for _, c := range []uintptr{unix.CAP_SYS_MODULE, unix.CAP_SYS_RAWIO, unix.CAP_SYS_TIME} {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			return fmt.Errorf("drop a capability: %w", err)
		}
	}
	return nil
}

// executeInit replaces the process by the init of the machine. The variables are those of systemd's container
// interface.
func (s *firstSettings) executeInit() error {
	env := append(environment(), "container=machineadm", "container_uuid="+s.UUID)
	var err error
	for _, init := range []string{"/sbin/init", "/usr/lib/systemd/systemd", "/lib/systemd/systemd"} {
		err = syscall.Exec(init, []string{init}, env)
	}
	return fmt.Errorf("start /sbin/init: %w", err)
}
