package linuxcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/debian"
)

// TestFstabMerge compares Merge and the shell function with the wanted table.
func TestFstabMerge(t *testing.T) {
	mount := linuxcmd.MountEntry(machine.Mount{Source: "LABEL=a b", Path: `/srv/a b\c`, Options: []string{"ro", "nofail"}})
	const mountLine = `LABEL=a\040b /srv/a\040b\134c auto ro,nofail 0 2`
	cases := map[string]struct {
		reason, table, want string
		entry               linuxcmd.FstabEntry
	}{
		"no table": {"the image has none", "", mountLine + "\n", mount},
		"append": {"other lines stay as they are", "# x\n\n/dev/a  / ext4\n", "# x\n\n/dev/a  / ext4\n" +
			mountLine + "\n", mount},
		"no newline": {
			"the last line would be joined with the new one", "/dev/a / ext4", "/dev/a / ext4\n" + mountLine + "\n", mount,
		},
		"replace": {
			"systemd ignores all but the first line of a mount point",
			"/dev/a / ext4\n/dev/old\t/srv/a\\040b\\134c xfs x 0 0\n/dev/b /b xfs\n /dev/c /srv/a\\040b\\134c auto\n",
			"/dev/a / ext4\n" + mountLine + "\n/dev/b /b xfs\n", mount,
		},
		"comment": {
			"a comment is not an entry", "#LABEL=x " + `/srv/a\040b\134c` + " auto\n",
			"#LABEL=x " + `/srv/a\040b\134c` + " auto\n" + mountLine + "\n", mount,
		},
		"dump and pass": {
			"fields 5 and 6 are those of the mount", "", "/dev/a /a auto defaults 1 0\n",
			linuxcmd.MountEntry(machine.Mount{Source: "/dev/a", Path: "/a", Dump: 1, Pass: new(0)}),
		},
		"swap": {
			"swap space is identified by its source", "/a none swap sw 0 0\n/b none swap pri=1 0 0\n",
			"/a none swap sw 0 0\n/b none swap sw 0 0\n", linuxcmd.SwapEntry("/b"),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.entry.Merge(c.table)); diff != "" {
				t.Errorf("%s: Merge (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.want, mergedByShell(t, c.entry, c.table)); diff != "" {
				t.Errorf("%s: the shell function (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// mergedByShell runs the shell function on the table in a temporary directory.
func mergedByShell(t *testing.T, e linuxcmd.FstabEntry, table string) string {
	t.Helper()
	dir := t.TempDir()
	at := filepath.Join(dir, "fstab")
	if table != "" {
		if err := os.WriteFile(at, []byte(table), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	function := strings.ReplaceAll(strings.ReplaceAll(linuxcmd.MergeFunction(), linuxcmd.Fstab, at), "/etc/.", dir+"/.")
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", function+e.Script()).CombinedOutput(); err != nil ||
		len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, error %v", len(left), err)
	}
	return string(got)
}

// TestSystemdReadsFstab runs the generators of two systemd versions on unusual mount points.
func TestSystemdReadsFstab(t *testing.T) {
	for _, suite := range []string{"bookworm", "trixie"} {
		t.Run(suite, func(t *testing.T) {
			root := debian.New(t, suite).Mount(t)
			debian.Mount(t, "proc", root+"/proc", "proc", 0, "")
			want, table := []string{"/srv/a b", "/srv/b\tc", `/srv/c\d`, "/srv/#e", "/srv/é"}, ""
			for _, path := range want {
				table = linuxcmd.MountEntry(machine.Mount{Source: "/dev/vdb1", Path: path}).Merge(table)
			}
			if err := os.WriteFile(root+linuxcmd.Fstab, []byte(table), 0o600); err != nil {
				t.Fatal(err)
			}
			out := debian.Output(t, "chroot", root, "sh", "-c",
				"mkdir /units&&/usr/lib/systemd/system-generators/systemd-fstab-generator /units /units "+
					"/units&&cat /units/*.mount") + "\n"
			for _, path := range want {
				if !strings.Contains(out, "\nWhere="+path+"\n") {
					t.Errorf("systemd does not mount at %q:\n%s", path, out)
				}
			}
			if checks := strings.Count(out, "Requires=systemd-fsck@dev-vdb1.service"); checks != len(want) {
				t.Errorf("%d file systems are checked at boot, want %d:\n%s", checks, len(want), out)
			}
		})
	}
}
