//go:build e2e

package qemu_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nodeimage"
)

// world is a driver and the settings of its machines.
type world struct {
	directory string
	settings  ports.HostMachineSettings
	// runs is the number of runs on machines that were released.
	runs int
}

// imageFile is the name of the image of all machines.
const imageFile = "image.img"

// newWorld returns a driver with an image of the system, as hack/stock.sh builds it.
func newWorld(t *testing.T, system string) *world {
	t.Helper()
	debian.Packages(t, "qemu-system-x86", "qemu-utils")
	w := &world{directory: filepath.Join(t.TempDir(), "machines")}
	if err := os.Mkdir(w.directory, 0o700); err != nil {
		t.Fatal(err)
	}
	debian.Output(t, "cp", "--sparse=always", debian.Script(t, "stock.sh", system), filepath.Join(w.directory, imageFile))
	return w
}

func (w *world) driver() counting {
	return counting{qemu.New(qemu.Config{Directory: w.directory}), w}
}

// counting is a driver that counts the runs of a machine before it removes the disk that counts them.
type counting struct {
	*qemu.Driver
	w *world
}

func (c counting) Release(ctx context.Context, target ports.HostTarget, claim string) error {
	runs := c.w.current(target)
	err := c.Driver.Release(ctx, target, claim)
	if len(c.w.glob(target, "report")) == 0 {
		c.w.runs += runs
	}
	return err
}

// glob returns the paths of the claims of the target that match.
func (w *world) glob(target ports.HostTarget, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(w.directory, "machines", target.Namespace, target.Name, "*", pattern))
	return found
}

// The data uses two blocks of the disk for reports that the driver does not: in one it counts its runs, and in the
// other the test requests its end.
const (
	blockSize  = 4096
	countBlock = 13
	endBlock   = 14
)

// data counts its run and ends as the test requires. The first byte of the request is + for success.
const data = `secret=` + portstest.DriverCanary + `
disk=/dev/disk/by-id/virtio-machineadm-report
block() { dd if=$disk bs=4096 skip=$1 count=1 iflag=direct 2>/dev/null | tr -d '\0'; }
printf %s "$(block 13)x" | dd of=$disk bs=4096 seek=13 conv=notrunc,fsync 2>/dev/null
until [ "$(block 14)" ]; do sleep 0.1; done
request=$(block 14)
if [ "$request" = + ]; then
  echo success >/run/cluster-api/bootstrap-success.complete
else
  printf '{"phase":"pre","cause":"%s"}' "${request#-}" >/run/cluster-api/bootstrap-failure.json
fi
`

// current returns the number of runs of the machine.
func (w *world) current(target ports.HostTarget) int {
	for _, name := range w.glob(target, "report") {
		if text, err := os.ReadFile(name); err == nil {
			return strings.Count(string(text[countBlock*blockSize:(countBlock+1)*blockSize]), "x")
		}
	}
	return 0
}

func TestConforms(t *testing.T) {
	portstest.HostDriver(t, func(t *testing.T) portstest.DriverWorld {
		// This system boots in seconds and runs shell scripts in place of cloud-config.
		w := newWorld(t, "minimal")
		w.settings = ports.HostMachineSettings{MemoryMiB: 256, CPUs: 1}
		d := w.driver()
		return portstest.DriverWorld{
			HostDriver: d, Formats: d.Formats(), Target: w.target,
			Data: func(*testing.T, ports.HostTarget) ports.HostBoot {
				return ports.HostBoot{
					Format: ports.HostFormatCloudConfig, Data: secret.FromString(data), Hostname: "node-1",
				}
			},
			Finish: w.finish, Runs: func(_ *testing.T, h ports.HostTarget) int { return w.runs + w.current(h) },
			Reboot:     w.reset,
			Disconnect: func(t *testing.T, _ ports.HostTarget) { rename(t, w.directory, w.directory+".away") },
			Connect:    func(t *testing.T, _ ports.HostTarget) { rename(t, w.directory+".away", w.directory) },
			BreakReset: func(t *testing.T, h ports.HostTarget) {
				debian.Mount(t, "tmpfs", filepath.Dir(w.glob(h, "disk")[0])+"/busy", "tmpfs", 0, "")
			},
			Restart: func(*testing.T) ports.HostDriver { return w.driver() }, Visible: w.visible,
		}
	})
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// target returns a machine, which is removed after the test.
func (w *world) target(t *testing.T) ports.HostTarget {
	digest, err := nodeimage.Digest(filepath.Join(w.directory, imageFile))
	if err != nil {
		t.Fatal(err)
	}
	settings := w.settings
	settings.Image, settings.ImageSHA256 = imageFile, digest
	h := ports.HostTarget{Namespace: "default", Name: "machine-1", Machine: &settings}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		for _, name := range w.glob(h, "console") {
			text, _ := os.ReadFile(name)
			if t.Failed() {
				t.Logf("console:\n%s", text[max(0, len(text)-3000):])
			}
		}
		for _, name := range w.glob(h, "disk") {
			_ = syscall.Unmount(filepath.Dir(name)+"/busy", syscall.MNT_DETACH)
			if err := w.driver().Release(ctx, h, filepath.Base(filepath.Dir(name))); err != nil {
				t.Error(err)
			}
		}
	})
	return h
}

// finish writes the request to the disk, whose file the machine reads.
func (w *world) finish(t *testing.T, h ports.HostTarget, failure string) {
	t.Helper()
	request := "+"
	if failure != "" {
		request = "-" + failure
	}
	f, err := os.OpenFile(w.glob(h, "report")[0], os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.WriteAt([]byte(request), endBlock*blockSize); err != nil {
		t.Fatal(err)
	}
}

// reset restarts the machine as a power cut does, if it runs, once it has started the data.
func (w *world) reset(t *testing.T, h ports.HostTarget) {
	t.Helper()
	sockets := w.glob(h, "qmp")
	if len(sockets) == 0 {
		return
	}
	for w.current(h) == 0 && t.Context().Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	// The path of the socket may be too long.
	t.Chdir(filepath.Dir(sockets[0]))
	c, err := net.Dial("unix", "qmp")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	messages, answers := json.NewEncoder(c), json.NewDecoder(c)
	for _, command := range []string{"qmp_capabilities", "system_reset"} {
		if err := messages.Encode(map[string]string{"execute": command}); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		var answer map[string]any
		if err := answers.Decode(&answer); err != nil || answer["error"] != nil {
			t.Fatal(err, answer)
		}
	}
}

// visible returns arguments and environments of all processes, and the readable files of the directory.
func (w *world) visible(t *testing.T, _ ports.HostTarget) string {
	var seen strings.Builder
	for _, pattern := range []string{"/proc/[0-9]*/cmdline", "/proc/[0-9]*/environ"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, _ := os.ReadFile(name)
			seen.Write(text)
		}
	}
	_ = filepath.WalkDir(filepath.Join(w.directory, "machines"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return err
		case e.IsDir() && info.Mode().Perm()&0o007 == 0:
			return fs.SkipDir
		case info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0:
			text, err := os.ReadFile(path)
			seen.Write(text)
			return err
		}
		return nil
	})
	return seen.String()
}
