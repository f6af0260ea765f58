//go:build linux

package linux_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/preflight"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
)

// TestDisks creates a partition table and a file system on loop devices, and checks that existing ones stay.
func TestDisks(t *testing.T) {
	d := newDebian(t, "bookworm")
	table, plain := loop(t), loop(t)
	// An unescaped quote would end the name, and the rest would be further fields of the line.
	const odd = `a", size=1MiB, name="b\x41'$( ,;é`
	const guid = "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709"
	carryOut(t, d.Host, action.PartitionDisk{Disk: machine.Disk{
		Device:     table,
		Partitions: []machine.Partition{{Label: odd, SizePercent: 25, GUID: guid}, {Label: "--delete"}},
	}})
	out, err := exec.CommandContext(t.Context(), "chroot", d.root, "sfdisk", "--json", table).Output()
	var read struct {
		Table struct {
			Label      string
			Partitions []struct {
				Name, UUID string
				Size       int
			}
		} `json:"partitiontable"`
	}
	if err := errors.Join(err, json.Unmarshal(out, &read)); err != nil {
		t.Fatal(err)
	}
	if got := read.Table.Partitions; read.Table.Label != "gpt" || len(got) != 2 || got[0].Name != odd ||
		got[1].Name != "--delete" {
		t.Errorf("the table is %s", out)
	}
	if got := read.Table.Partitions[0]; got.UUID != guid || got.Size*512 != 16<<20 {
		t.Errorf("the first partition is %+v, want a quarter of 64 MiB", got)
	}
	carryOut(t, d.Host, action.MakeFilesystem{Filesystem: machine.Filesystem{
		Device: plain, Format: "ext4",
		Label: "data",
	}})
	swap := machine.Filesystem{Device: plain, Format: "swap", ReplaceFS: "ext4"}
	carryOut(t, d.Host, action.MakeFilesystem{Filesystem: swap})
	c, err := d.Diff(t.Context(), action.MakeFilesystem{Filesystem: swap}, journal.Original{})
	if err != nil || !c.IsEmpty() {
		t.Errorf("a file system that has replaced another: %v, %v", c.Lines, err)
	}
	for name, op := range map[string]action.Operation{
		"resize": action.PartitionDisk{Disk: machine.Disk{
			Device: table, Wipe: true, Partitions: []machine.Partition{{Number: 1, Resize: true}},
		}},
		"other format": action.MakeFilesystem{Filesystem: machine.Filesystem{Device: plain, Format: "xfs"}},
		"other type": action.MakeFilesystem{Filesystem: machine.Filesystem{
			Device: plain, Format: "xfs", ReplaceFS: "ntfs",
		}},
		"no device": action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/none", Format: "xfs"}},
	} {
		if err := d.try(t, op); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if c, err := d.Diff(t.Context(), action.PartitionDisk{Disk: machine.Disk{Device: table}},
		journal.Original{}); err != nil || !c.IsEmpty() {
		t.Errorf("a table that is there: %v, %v", c.Lines, err)
	}
}

// TestDeviceThatAppearsLate creates a link to the device while the agent waits for it. A comparison does not wait.
func TestDeviceThatAppearsLate(t *testing.T) {
	d := newDebian(t, "bookworm")
	device, live := loop(t), linux.Running(d.Host)
	op := action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/srv/late", Format: "ext4"}}
	if _, err := live.Diff(t.Context(), op, journal.Original{}); err == nil ||
		!strings.Contains(err.Error(), "/srv/late does not exist") {
		t.Errorf("got %v", err)
	}
	appeared := make(chan error, 1)
	go func() { appeared <- os.Symlink(device, d.root+"/srv/late") }()
	live.AwaitDevice(t.Context(), op)
	carryOut(t, live, op)
	if err := <-appeared; err != nil {
		t.Error(err)
	}
}

func TestPreflightConforms(t *testing.T) {
	portstest.Preflight(t, newDebian(t, "trixie").Host)
}

// TestPreflightOfTheRunningMachine checks that a port in use is reported.
func TestPreflightOfTheRunningMachine(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	port := listener.Addr().(*net.TCPAddr).Port
	lacks, err := open(t, "/").Check(t.Context(), preflight.Requirements{Ports: []int{port}})
	named := func(l preflight.Problem) bool { return l.Name == preflight.Port(port) }
	if err != nil || !slices.ContainsFunc(lacks, named) {
		t.Errorf("got %v, error %v", lacks, err)
	}
}

func TestPreflightOfAnUnknownSystem(t *testing.T) {
	lacks, err := open(t, t.TempDir()).Check(t.Context(), preflight.Requirements{})
	if err != nil || len(lacks) != 1 || lacks[0].Name != preflight.System {
		t.Errorf("got %v, error %v", lacks, err)
	}
}

// TestLabels replaces SELinux with a policy that has a label for each path.
func TestLabels(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/sys/fs/selinux/enforce", "1")
	d.put(t, "/usr/local/sbin/matchpathcon",
		"#!/bin/sh\ncase $2 in /srv/none) echo '<<none>>';; /srv/bad) exit 1;; *) echo \"u:r:$2\";; esac\n")
	if err := os.Chmod(d.root+"/usr/local/sbin/matchpathcon", 0o755); err != nil {
		t.Fatal(err)
	}
	debian.Mount(t, "ramfs", d.root+"/srv/ram", "ramfs", 0, "")
	h := open(t, d.root)
	for _, path := range []string{"/srv/dir/file", "/srv/none", "/srv/ram/dir/without-labels"} {
		carryOut(t, h, write(path, "x"))
	}
	for path, want := range map[string]string{
		"/srv/dir": "u:r:/srv/dir\x00", "/srv/dir/file": "u:r:/srv/dir/file\x00",
		"/srv/none": "",
	} {
		value := make([]byte, 100)
		n, err := syscall.Getxattr(d.root+path, "security.selinux", value)
		if got := string(value[:max(n, 0)]); got != want {
			t.Errorf("%s has the label %q, want %q, error %v", path, got, want, err)
		}
	}
	if err := h.Apply(t.Context(), write("/srv/bad", "x"), journal.Original{}); err == nil ||
		!strings.Contains(err.Error(), "query the label of /srv/bad") {
		t.Errorf("got %v", err)
	}
}

// TestLabelOfMount mounts a new file system, whose root directory has no label.
func TestLabelOfMount(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/sys/fs/selinux/enforce", "1")
	for name, script := range map[string]string{"matchpathcon": "echo \"u:r:$2\"\n", "systemctl": ""} {
		d.put(t, "/usr/local/sbin/"+name, "#!/bin/sh\n"+script)
		if err := os.Chmod(d.root+"/usr/local/sbin/"+name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	op := action.MountFilesystem{Mount: machine.Mount{Source: "tmpfs", Type: "tmpfs", Path: "/srv/data"}}
	t.Cleanup(func() { _ = syscall.Unmount(d.root+"/srv/data", syscall.MNT_DETACH) })
	if err := linux.Running(open(t, d.root)).Apply(t.Context(), op, journal.Original{}); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 100)
	n, err := syscall.Getxattr(d.root+"/srv/data", "security.selinux", value)
	if got := string(value[:max(n, 0)]); got != "u:r:/srv/data\x00" {
		t.Errorf("got the label %q, error %v", got, err)
	}
}

// TestLabelsEndWithTheContext cancels the context while the policy is queried for the third of five files. The files
// before it are complete, and no other file is written.
func TestLabelsEndWithTheContext(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/sys/fs/selinux/enforce", "1")
	d.put(t, "/usr/local/sbin/matchpathcon",
		"#!/bin/sh\n[ \"$2\" != /srv/2 ] || { echo >/srv/queried; exec sleep 60; }\necho \"u:r:$2\"\n")
	if err := os.Chmod(d.root+"/usr/local/sbin/matchpathcon", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(d.root+"/srv/queried", 0o600); err != nil {
		t.Fatal(err)
	}
	queried, err := os.OpenFile(d.root+"/srv/queried", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queried.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = queried.Read(make([]byte, 1))
		cancel()
	}()
	h := open(t, d.root)
	for i := 0; i < 5 && err == nil; i++ {
		err = h.Apply(ctx, write(fmt.Sprintf("/srv/%d", i), "x"), journal.Original{})
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if files, _ := filepath.Glob(d.root + "/srv/*"); len(files) != 3 || d.get("/srv/1") != "x" {
		t.Errorf("found %q, want the first two files", files)
	}
}

func TestOneAgentAtATime(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	if err := first.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := second.Lock(t.Context()); err == nil || !strings.Contains(err.Error(), "another machineadm is running") {
		t.Errorf("got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Lock(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	name := "/" + strings.Repeat("n", 255)
	carryOut(t, open(t, dir), write(name, "x"))
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%d files, error %v", len(left), err)
	}
}

var _ ports.Host = (*linux.Host)(nil)
