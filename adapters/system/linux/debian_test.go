//go:build linux

package linux_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
)

// debianHost is a separate Debian: an overlay over a pristine root.
type debianHost struct {
	*linux.Host
	root string
	log  *bytes.Buffer
}

func newDebian(t *testing.T, suite string) debianHost {
	t.Helper()
	d := debianHost{root: debian.New(t, suite).Mount(t), log: &bytes.Buffer{}}
	for _, dir := range []string{"/dev", "/proc"} {
		debian.Mount(t, dir, d.root+dir, "", syscall.MS_BIND|syscall.MS_REC, "")
		if err := syscall.Mount("", d.root+dir, "", syscall.MS_SLAVE|syscall.MS_REC, ""); err != nil {
			t.Fatal(err)
		}
	}
	h, err := linux.New(linux.Options{Root: d.root, Log: d.log, Originals: &memory.Originals{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	d.Host = h
	return d
}

// files returns all files below the directories with owner, mode and content. It ignores the backup copies of the
// account files.
func (d debianHost) files(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{"/etc", "/home", "/srv", "/opt", "/root", "/usr/local"} {
		err := filepath.WalkDir(d.root+dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, "-") || strings.HasSuffix(path, ".pwd.lock") {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			s, _ := info.Sys().(*syscall.Stat_t)
			files[strings.TrimPrefix(path, d.root)] = fmt.Sprintf("%s %d:%d %s", info.Mode(), s.Uid, s.Gid,
				content(path, info.Mode()))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func content(path string, mode fs.FileMode) string {
	if mode&fs.ModeSymlink != 0 {
		target, _ := os.Readlink(path)
		return target
	}
	if !mode.IsRegular() {
		return ""
	}
	data, _ := os.ReadFile(path)
	return string(data)
}

// web serves each content at a separate URL.
func web(t *testing.T) func(*testing.T, string) string {
	t.Helper()
	contents := map[string]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(contents[r.URL.Path]))
	}))
	t.Cleanup(s.Close)
	return func(_ *testing.T, content string) string {
		path := fmt.Sprintf("/%x", content)
		contents[path] = content
		return s.URL + path
	}
}

// TestHostConforms runs the conformance suite of the port with the programs of two Debian releases.
func TestHostConforms(t *testing.T) {
	for _, suite := range []string{"bookworm", "trixie"} {
		t.Run(suite, func(t *testing.T) {
			portstest.Host(t, func(t *testing.T) portstest.HostMachine {
				t.Helper()
				d := newDebian(t, suite)
				t.Cleanup(func() {
					if t.Failed() {
						t.Logf("what programs printed:\n%s", d.log)
					}
				})
				return portstest.HostMachine{Host: d.Host, State: d.files, Serve: web(t)}
			})
		})
	}
}
