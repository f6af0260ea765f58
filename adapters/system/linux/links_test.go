//go:build linux

package linux_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// put writes a file below the directory, or a link if there is a target.
func put(t *testing.T, dir, path, content, target string) {
	t.Helper()
	at := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	err := os.WriteFile(at, []byte(content), 0o644)
	if target != "" {
		_ = os.Remove(at)
		err = os.Symlink(target, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFetchTrustsWhatALinkLeadsTo stores the CA bundle where RHEL and its derivatives store it: behind an absolute
// link.
func TestFetchTrustsWhatALinkLeadsTo(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte("served"))
	}))
	defer server.Close()
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	const extracted = "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"
	cases := map[string]struct{ reason, target, url, content string }{
		"absolute link":  {"RHEL, Rocky Linux, AlmaLinux, CentOS and Amazon Linux", extracted, server.URL, "served"},
		"relative link":  {"", "../../ca-trust/extracted/pem/tls-ca-bundle.pem", server.URL, "served"},
		"link of no use": {"the next file is tried", "/nowhere", server.URL, "served"},
		"file, absolute": {"a link on the way to a file is the machine's, too", extracted, "file:///srv/absolute", "local"},
		"file, untrusted": {
			"what the machine trusts is of no account for its own files", "/srv/local",
			"file:///srv/local", "local",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, extracted, authority, "")
			put(t, dir, "/etc/pki/tls/certs/ca-bundle.crt", "", c.target)
			put(t, dir, "/srv/local", "local", "")
			put(t, dir, "/srv/absolute", "", "/srv/local")
			carryOut(t, open(t, dir), action.FetchFile{Path: "/f", URL: c.url, SHA256: digest(c.content)})
			if got, err := os.ReadFile(dir + "/f"); err != nil || string(got) != c.content {
				t.Errorf("%s: %q, error %v", c.reason, got, err)
			}
		})
	}
}

// TestAppendFollowsLinks checks that an append follows links, as in the programs of the renderers, and that it can be
// reverted.
func TestAppendFollowsLinks(t *testing.T) {
	cases := map[string]struct {
		reason, target, is, want string
		mode                     machine.Mode
	}{
		"absolute": {
			"systems with a resolver have it like this", "/run/resolv.conf", "nameserver 10.0.0.1\n",
			"-rw-r--r-- nameserver 10.0.0.1\nsearch x\n", machine.ModeUnset,
		},
		"relative": {
			"", "../run/resolv.conf", "nameserver 10.0.0.1\n", "-rw-r--r-- nameserver 10.0.0.1\nsearch x\n",
			machine.ModeUnset,
		},
		"mode": {"what is asked for is the target's, too", "/run/resolv.conf", "a\n", "-rw------- a\nsearch x\n", 0o600},
		"outside": {
			"a link that leads out of the tree leads into it", "../../../run/resolv.conf", "a\n",
			"-rw-r--r-- a\nsearch x\n", machine.ModeUnset,
		},
		"dangling": {
			"the file is made where the link leads to", "/run/resolv.conf", "", "-rw-r--r-- search x\n",
			machine.ModeUnset,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "/etc/resolv.conf", "", c.target)
			put(t, dir, "/run/else", "", "")
			if c.is != "" {
				put(t, dir, "/run/resolv.conf", c.is, "")
			}
			before := snapshot(t, dir)
			h := open(t, dir)
			op := write("/etc/resolv.conf", "search x\n")
			op.Append, op.Mode = true, c.mode
			o := carryOut(t, h, op)
			after := snapshot(t, dir)
			if target, err := os.Readlink(dir + "/etc/resolv.conf"); after["/run/resolv.conf"] != c.want || target != c.target {
				t.Errorf("%s: %q, the link leads to %q, %v", c.reason, after["/run/resolv.conf"], target, err)
			}
			if err := h.Revert(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("something is left: %s", diff)
			}
		})
	}
}

// TestDirectoriesBehindLinks uses directories that are links on many systems, such as /var/run.
func TestDirectoriesBehindLinks(t *testing.T) {
	cases := map[string]struct{ reason, target, made string }{
		"absolute": {"", "/run/d", "/run/d"},
		"relative": {"", "../run/d", "/run/d"},
		"nothing":  {"what the link leads to is made", "/run/new/d", "/run/new/d"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "/var/d", "", c.target)
			put(t, dir, "/run/d/x", "x", "")
			before := snapshot(t, dir)
			h := open(t, dir)
			o := carryOut(t, h, action.MakeDirectory{Path: "/var/d", Mode: 0o700})
			if target, err := os.Readlink(dir + "/var/d"); snapshot(t, dir)[c.made] != "drwx------ " || target != c.target {
				t.Errorf("%s: the link leads to %q, error %v", c.reason, target, err)
			}
			if err := h.Revert(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("something is left: %s", diff)
			}
		})
	}
}

// TestMountBehindALink has a file system mounted where the path leads to: /mnt is a link on Fedora CoreOS.
func TestMountBehindALink(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "/mnt", "", "var/mnt")
	put(t, dir, "/var/mnt/data/x", "x", "")
	put(t, dir, "/etc/fstab", "LABEL=d /mnt/data auto defaults 0 2\n", "")
	put(t, dir, "/proc/self/mountinfo", "36 35 98:0 / /var/mnt/data rw shared:1 - ext4 /dev/vdb rw\n", "")
	h := linux.Running(open(t, dir))
	op := action.MountFilesystem{Mount: machine.Mount{Source: "LABEL=d", Path: "/mnt/data"}}
	change, err := h.Diff(t.Context(), op, journal.Original{})
	if err != nil || !change.IsEmpty() {
		t.Errorf("a mounted file system differs: %q, error %v", change.Lines, err)
	}
	err = h.Revert(t.Context(), journal.Original{Type: journal.ResourceMount, Name: "/mnt/data"})
	if err == nil || err.Error() != "this machine has no program umount" {
		t.Errorf("umount does not run: %v", err)
	}
}
