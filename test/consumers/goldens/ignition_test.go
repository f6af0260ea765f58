package goldens_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
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

// bootable adapts the golden to a root that is not a machine. Disks and file systems need block devices, so only the
// validators read them here (test/consumers/ignition creates them on a loop device). Files on servers that do not exist
// are replaced by a program that records its arguments.
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

// onRoot removes disks and file systems, and puts their files onto the root.
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

// engine is a program of the Ignition family and the specifications that it reads.
type engine struct {
	reason string
	// tool and validator are names in hack/tool.sh; kind is v3 or v2, by the flags of the engine.
	tool, validator, kind string
	oldest, newest        string
}

// engines are the programs at hand, from the oldest to the newest.
func engines() []engine {
	return []engine{
		{
			reason: "Flatcar until 3033", tool: "ignition-flatcar", validator: "ignition-validate-flatcar", kind: "v2",
			oldest: "2.0.0", newest: "2.3.0",
		},
		{
			reason: "2.14, Debian 12", tool: "ignition-old", validator: "ignition-validate", kind: "v3", oldest: "3.0.0",
			newest: "3.3.0",
		},
		{
			reason: "2.15, the first with 3.4", tool: "ignition-2.15", validator: "ignition-validate", kind: "v3",
			oldest: "3.0.0", newest: "3.4.0",
		},
		{
			reason: "the newest", tool: "ignition", validator: "ignition-validate", kind: "v3", oldest: "3.0.0",
			newest: "3.6.0",
		},
	}
}

// readers returns the oldest and the newest engine that read the specification, which may be one and the same.
func readers(t *testing.T, version string) []engine {
	t.Helper()
	var all []engine
	for _, e := range engines() {
		if e.oldest <= version && version <= e.newest {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		t.Fatalf("no engine reads %s", version)
	}
	if len(all) == 1 {
		return all
	}
	return []engine{all[0], all[len(all)-1]}
}

// ignitions returns all goldens that an engine reads.
func ignitions(t *testing.T) [][]scenarios.Golden {
	t.Helper()
	return [][]scenarios.Golden{scenarios.Of(t, "ignition"), scenarios.Of(t, "ignition-v2")}
}

// TestReaders shows which engines the table finds for each specification that the goldens have.
func TestReaders(t *testing.T) {
	want := map[string]string{
		"2.3.0": "ignition-flatcar", "3.3.0": "ignition-old ignition", "3.4.0": "ignition-2.15 ignition", "3.5.0": "ignition",
	}
	got := map[string]string{}
	for _, goldens := range ignitions(t) {
		for _, golden := range goldens {
			version := parse(t, golden.Data).Ignition.Version
			var tools []string
			for _, e := range readers(t, version) {
				tools = append(tools, e.tool)
			}
			got[version] = strings.Join(tools, " ")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIgnitionReadsGoldens(t *testing.T) {
	t.Setenv("MACHINEADM_HOSTNAME", "node-1")
	for _, goldens := range [][]scenarios.Golden{scenarios.Sample(t, "ignition"), scenarios.Sample(t, "ignition-v2")} {
		for i, golden := range nightly.Sample(goldens, 3) {
			engines := readers(t, parse(t, golden.Data).Ignition.Version)
			for _, e := range nightly.Or(engines, engines[i%len(engines):][:1]) {
				t.Run(golden.Name()+"/"+e.tool, func(t *testing.T) {
					validate(t, e.validator, golden.Data)
					provision(t, e, bootable(t, golden.Data))
				})
			}
		}
	}
}

// TestOldEnginesRefuse shows that an engine refuses configurations newer than its row in the table.
func TestOldEnginesRefuse(t *testing.T) {
	newest := bootable(t, scenarios.One(t, "ignition", "fedora-coreos", "fedora-coreos").Data)
	for _, e := range engines() {
		if e.newest >= parse(t, newest).Ignition.Version {
			continue
		}
		t.Run(e.tool, func(t *testing.T) {
			m := newMachine(t, "bookworm")
			if exec.Command("../ignition/ignite.sh", m.Lower, m.State, e.kind, debian.Tool(t, e.tool),
				save(t, newest)).Run() == nil {
				t.Errorf("%s (%s) reads %s", e.tool, e.reason, parse(t, newest).Ignition.Version)
			}
		})
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
	if out, err := exec.Command(debian.Tool(t, validator), file).CombinedOutput(); err != nil || len(out) > 0 {
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

func provision(t *testing.T, e engine, golden []byte) {
	t.Helper()
	m := newMachine(t, "bookworm", "systemctl", "swapoff", "systemd-sysext", "update-ca-trust")
	m.Put(t, "/etc/selinux/config", "SELINUXTYPE=targeted\n", 0o644)
	m.Put(t, "/etc/selinux/targeted/contexts/files/file_contexts", "", 0o644)
	m.Run(t, "../ignition/ignite.sh", e.kind, debian.Tool(t, e.tool), save(t, golden))
	if _, err := os.Stat(filepath.Join(m.State, "run/cluster-api/bootstrap-success.complete")); err != nil ||
		!m.joined(t) {
		t.Fatalf("no sentinel, or kubeadm did not run once: %v\n%s", err, m.Log())
	}
	m.validated(t)
	m.holds(t, parse(t, golden))
	m.showsNoSecret(t, secretsOfIgnition(t, golden)...)
}

// secretsOfIgnition are those that the files of a configuration show by their form; a configuration may compress them.
func secretsOfIgnition(t *testing.T, golden []byte) []string {
	t.Helper()
	var all []string
	for _, f := range parse(t, golden).Storage.Files {
		if f.Contents.Source != "" {
			all = append(all, canary.SecretsIn(string(f.Contents.bytes(t)))...)
		}
	}
	if len(all) == 0 {
		t.Error("the configuration has no token to search for")
	}
	return all
}

// holds compares the tree with the configuration. Files of machineadm itself are gone after success.
func (m *machine) holds(t *testing.T, c config) {
	t.Helper()
	for _, f := range c.Storage.Files {
		if strings.HasPrefix(f.Path, "/etc/machineadm/") || len(f.Append) > 0 && string(f.Append) != "false" ||
			f.Contents.Source == "" {
			continue
		}
		info, err := os.Stat(m.Path(f.Path))
		if err != nil || int(info.Mode().Perm()) != f.Mode&0o777 || m.Read(t, f.Path) != string(f.Contents.bytes(t)) {
			t.Errorf("%q is not as configured: %v", f.Path, err)
		}
	}
	for _, l := range c.Storage.Links {
		if target, err := os.Readlink(m.Path(l.Path)); err != nil || target != l.Target {
			t.Errorf("%q leads to %q: %v", l.Path, target, err)
		}
	}
	for _, u := range c.Systemd.Units {
		at := "/etc/systemd/system/" + u.Name
		if u.Contents != "" && m.Read(t, at) != u.Contents {
			t.Errorf("%s has another text", u.Name)
		}
		if target, _ := os.Readlink(m.Path(at)); u.Mask && target != "/dev/null" {
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
