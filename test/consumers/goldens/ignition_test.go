package goldens_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vincent-petithory/dataurl"
)

// config is what the specifications 2.3 and 3.x have in common, of what is looked at.
type config struct {
	Ignition struct{ Version string }
	Storage  struct {
		Files []struct {
			Path     string
			Mode     int
			Contents contents
			Append   json.RawMessage
		}
		Links []struct{ Path, Target string }
	}
	Systemd struct {
		Units []struct {
			Name, Contents string
			Mask           bool
		}
	}
}

type contents struct{ Source, Compression string }

// bootable returns the golden as a root that is not a machine can take it. Disks and file systems need block devices, so only
// the validators read them here (test/consumers/ignition makes them on a loop device); what stands on a server that does not
// exist is replaced by a program that says how it was called.
func bootable(t *testing.T, golden []byte) []byte {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(golden, &c); err != nil {
		t.Fatal(err)
	}
	storage, ok := c["storage"].(map[string]any)
	if !ok {
		t.Fatal("no storage")
	}
	onRoot(storage)
	files, ok := storage["files"].([]any)
	if !ok {
		t.Fatal("no files")
	}
	for _, f := range files {
		inline(f)
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onRoot takes away disks and file systems, and puts what stands on them onto the root.
func onRoot(storage map[string]any) {
	delete(storage, "disks")
	delete(storage, "filesystems")
	for _, kind := range []string{"files", "directories", "links"} {
		entries, _ := storage[kind].([]any)
		for _, e := range entries {
			if entry, ok := e.(map[string]any); ok && entry["filesystem"] != nil {
				entry["filesystem"] = "root"
			}
		}
	}
}

func inline(file any) {
	f, _ := file.(map[string]any)
	c, _ := f["contents"].(map[string]any)
	if source, _ := c["source"].(string); strings.HasPrefix(source, "http") {
		f["contents"] = map[string]any{"source": dataurl.EncodeBytes([]byte(stub))}
	}
}

// engines are the programs that read the golden: the newest, and the oldest at hand.
func engines(version string) (validator string, names []string, kind string) {
	switch {
	case strings.HasPrefix(version, "2."):
		return "ignition-validate-flatcar", []string{"ignition-flatcar"}, "v2"
	case version <= "3.3.0":
		return "ignition-validate", []string{"ignition", "ignition-old"}, "v3"
	default:
		return "ignition-validate", []string{"ignition"}, "v3"
	}
}

func TestIgnitionReadsGoldens(t *testing.T) {
	for _, name := range []string{"ignition.ign", "ignition-v2.ign"} {
		for scenario, golden := range goldens(t, name) {
			t.Run(scenario+"/"+name, func(t *testing.T) {
				validator, names, kind := engines(parse(t, golden).Ignition.Version)
				validate(t, validator, golden)
				for _, engine := range names {
					provision(t, engine, kind, bootable(t, golden))
				}
			})
		}
	}
}

func parse(t *testing.T, golden []byte) config {
	t.Helper()
	var c config
	if err := json.Unmarshal(golden, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func validate(t *testing.T, validator string, golden []byte) {
	t.Helper()
	file := save(t, golden)
	if out, err := exec.Command(tool(t, validator), file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s: %v\n%s", validator, err, out)
	}
}

func save(t *testing.T, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.ign")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func provision(t *testing.T, engine, kind string, golden []byte) {
	t.Helper()
	m := newMachine(t, "bookworm", "systemctl", "swapoff", "systemd-sysext")
	m.put(t, "/etc/selinux/config", "SELINUXTYPE=targeted\n", 0o644)
	m.put(t, "/etc/selinux/targeted/contexts/files/file_contexts", "", 0o644)
	m.run(t, "../ignition/ignite.sh", kind, tool(t, engine), save(t, golden))
	if _, err := os.Stat(filepath.Join(m.state, "run/cluster-api/bootstrap-success.complete")); err != nil || !m.joined(t) {
		t.Fatalf("no sentinel, or kubeadm did not run once: %v\n%s", err, m.log())
	}
	m.holds(t, parse(t, golden))
}

// holds compares the tree with the configuration. Files of machineadm itself are gone after success.
func (m *machine) holds(t *testing.T, c config) {
	t.Helper()
	for _, f := range c.Storage.Files {
		if strings.HasPrefix(f.Path, "/etc/machineadm/") || len(f.Append) > 0 && string(f.Append) != "false" || f.Contents.Source == "" {
			continue
		}
		info, err := os.Stat(m.path(f.Path))
		if err != nil || int(info.Mode().Perm()) != f.Mode&0o777 || m.read(t, f.Path) != string(f.Contents.bytes(t)) {
			t.Errorf("%q is not as the configuration says: %v", f.Path, err)
		}
	}
	for _, l := range c.Storage.Links {
		if target, err := os.Readlink(m.path(l.Path)); err != nil || target != l.Target {
			t.Errorf("%q leads to %q: %v", l.Path, target, err)
		}
	}
	for _, u := range c.Systemd.Units {
		at := "/etc/systemd/system/" + u.Name
		if u.Contents != "" && m.read(t, at) != u.Contents {
			t.Errorf("%s has another text", u.Name)
		}
		if target, _ := os.Readlink(m.path(at)); u.Mask && target != "/dev/null" {
			t.Errorf("%s is not masked", u.Name)
		}
	}
}

func (c contents) bytes(t *testing.T) []byte {
	t.Helper()
	u, err := dataurl.DecodeString(c.Source)
	if err != nil {
		t.Fatal(err)
	}
	if c.Compression == "gzip" {
		return gunzip(t, u.Data)
	}
	return u.Data
}
