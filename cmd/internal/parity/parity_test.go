// Package parity_test applies the same documents by the bootstrap program and by the agent, each in a separate Debian
// root, and compares the two trees byte for byte. Programs that need devices, a network or a running systemd are
// replaced by recorders, and their arguments are compared, too. It needs root.
package parity_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/programs"
)

// recorded are the programs that testdata/recorder.sh replaces.
func recorded() []string {
	return []string{
		"apt-get", "blkid", "blockdev", "conformance-program", "containerd", "crictl", "curl", "dd", "dpkg", "kubeadm",
		"kubectl", "kubelet", "mkfs.btrfs", "mkfs.ext4", "mkfs.vfat", "mkfs.xfs", "mkswap", "modprobe", "mount",
		"mountpoint", "sfdisk", "swapon", "sysctl", "systemctl", "systemd-sysext", "timedatectl", "udevadm",
		"update-ca-certificates", "wipefs",
	}
}

// artifact is the content of every file that documents download.
const artifact = "an artifact\n"

// world contains what all samples share.
type world struct {
	// agent is the program, and lower the pristine root.
	agent, lower string
	target       osprofile.Target
	planner      *planner.Planner
}

// sample is a configuration, and the machine that it is for.
type sample struct {
	documents []document.Document
	target    osprofile.Target
	// osRelease is the machine's /etc/os-release. If it is empty, the machine is Debian.
	osRelease string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	agent, err := programs.Build(t.Context(), "machineadm")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{agent: agent, lower: debian.Root(t, "bookworm")}
	host, err := linux.New(linux.Options{Root: w.lower})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close() }()
	// The agent finds out the same.
	if w.target, err = host.Detect(t.Context(), osprofile.Target{KubernetesVersion: catalogtest.Version}); err != nil {
		t.Fatal(err)
	}
	if w.planner, err = planner.New(plugins.Builtin()); err != nil {
		t.Fatal(err)
	}
	return w
}

// documents returns the documents without sources and with addresses that can be fetched without a network.
func documents(t *testing.T, values ...document.Value) []document.Document {
	t.Helper()
	docs := make([]document.Document, len(values))
	for i, v := range values {
		docs[i] = document.Document{Value: v}
	}
	text, err := codec.Codec{}.Encode(docs)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(artifact))
	digest := hex.EncodeToString(sum[:])
	local := strings.NewReplacer(
		strings.Repeat("c0ffee00", 8), digest, "https://conformance.example/", "file:///srv/artifacts/",
		scenarioDigest, digest, "https://mirror.example/extensions/", "file:///srv/artifacts/",
	).Replace(string(text))
	docs, findings := codec.Codec{}.Decode(t.Context(), []byte(local))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return docs
}

// script returns the shell format's script of the sample, and the plan. The script is empty if the format or the system
// refuses the documents.
func (w *world) script(t *testing.T, s sample) (script []byte, planned plan.Plan, findings report.Report) {
	t.Helper()
	planned, findings, err := w.planner.Plan(t.Context(), plan.Job{Documents: s.documents, Target: s.target},
		func(document.Document) bool { return false }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		return nil, planned, findings
	}
	rendering, findings, err := shell.Renderer{}.Render(t.Context(), planned)
	if err != nil {
		t.Fatal(err)
	}
	return rendering.Payload.Data.Reveal(), planned, findings
}

// machine returns a machine that was never configured.
func (w *world) machine(t *testing.T, s sample, p plan.Plan) *debian.Machine {
	t.Helper()
	m := debian.Over(t, w.lower)
	if s.osRelease != "" {
		m.Put(t, "/etc/os-release", s.osRelease, 0o644)
	}
	m.Put(t, "/usr/local/lib/enabled", strings.Join(disabledBy(p), "\n"), 0o644)
	m.Install(t, "/usr/local/lib/recorder.sh", "testdata/recorder.sh")
	for _, name := range recorded() {
		m.Link(t, "/usr/local/sbin/"+name, "/usr/local/lib/recorder.sh")
	}
	for path, content := range map[string]string{
		"/etc/fstab": "# image\n/dev/vda1 / ext4 defaults 0 1\n/dev/old\t/srv/image ext4 defaults 0 " +
			"0\n/dev/vdc1 none swap pri=1 0 0",
		"/etc/image/own": "own\n", "/etc/image/private": "old\n",
		"/etc/shadow": w.shadow(t),
	} {
		m.Put(t, path, content, 0o644)
	}
	m.Link(t, "/etc/image/linked", "own")
	m.Link(t, "/etc/systemd/system/imagemasked.service", "/dev/null")
	for _, fetch := range plan.Operations[action.FetchFile](p) {
		m.Put(t, strings.TrimPrefix(fetch.URL, "file://"), artifact, 0o644)
	}
	return m
}

// lastChange matches the day of the last password change in a line of shadow(5).
var lastChange = regexp.MustCompile(`(?m)^([^:]*:[^:]*):\d+:`)

// shadow returns the pristine shadow(5) with passwords that were changed long ago, so that a change is visible.
func (w *world) shadow(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.lower, "etc/shadow"))
	if err != nil {
		t.Fatal(err)
	}
	return lastChange.ReplaceAllString(string(text), "$1:10000:")
}

// run runs a command in the machine.
func (w *world) run(t *testing.T, m *debian.Machine, devices []string, command ...string) {
	t.Helper()
	args := append([]string{
		"--mount", "--pid", "--fork", "--kill-child", "--uts", "--net", "sh", "testdata/enter.sh", m.Lower, m.State,
		w.agent, strings.Join(devices, " "),
	}, command...)
	if out, err := exec.CommandContext(t.Context(), "unshare", args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", command[0], err, out, m.Log())
	}
}

// TestProgramAndAgentAgree applies a sample of every kind of document, the table of hostile inputs, two whole machines,
// and every scenario that the shell format renders.
func TestProgramAndAgentAgree(t *testing.T) {
	w := newWorld(t)
	compared := map[document.Kind]bool{}
	samples := w.samples(t)
	maps.Copy(samples, w.scenarios(t))
	for name, s := range samples {
		for i := range s.documents {
			s.documents[i].Source.Path = report.Path("documents").Index(i).Field("spec")
		}
		script, p, findings := w.script(t, s)
		if findings.HasErrors() {
			if strings.HasPrefix(name, "scenario-") {
				t.Errorf("%s is refused: %v", name, findings)
			}
			continue
		}
		for _, d := range s.documents {
			compared[d.Kind()] = true
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.compare(t, s, script, p)
		})
	}
	for _, kind := range plan.Kinds() {
		if !compared[kind] && !slices.Contains(incomparable(), kind) {
			t.Errorf("no sample of %s is applied", kind)
		}
	}
}

// incomparable returns the kinds that no Debian machine applies.
func incomparable() []document.Kind {
	return []document.Kind{machine.KindDomainJoin, machine.KindKernelArguments, node.KindTalosSecrets}
}

func (w *world) compare(t *testing.T, s sample, script []byte, p plan.Plan) {
	t.Helper()
	byProgram, byAgent, devices := w.machine(t, s, p), w.machine(t, s, p), devicesOf(p)
	byProgram.Put(t, "/root/machine.sh", string(script), 0o600)
	w.run(t, byProgram, devices, "sh", "/root/machine.sh")
	text, err := codec.Codec{}.Encode(s.documents)
	if err != nil {
		t.Fatal(err)
	}
	byAgent.Put(t, "/root/machine.yaml", string(text), 0o600)
	w.run(t, byAgent, devices, "/usr/local/sbin/machineadm", "apply", "--path", "/root/machine.yaml")
	paths := append(changes(t, byProgram), changes(t, byAgent)...)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if diff := cmp.Diff(tree(t, byProgram, paths), tree(t, byAgent, paths)); diff != "" {
		t.Errorf("the trees differ (-program +agent):\n%s", diff)
	}
	if diff := cmp.Diff(calls(t, byProgram), calls(t, byAgent)); diff != "" {
		t.Errorf("the commands differ (-program +agent):\n%s", diff)
	}
}

// samples returns the samples of the kinds, the hostile inputs and two machines, by name.
func (w *world) samples(t *testing.T) map[string]sample {
	t.Helper()
	all := map[string][]document.Document{}
	for _, s := range portstest.Documents(w.target) {
		if s.Document != nil {
			values := append(requirements(s.Document), s.Document)
			all[strings.ReplaceAll(s.Name, ", ", "-")] = documents(t, append(values, s.With...)...)
		}
	}
	companions := portstest.Machine(w.target)
	for _, c := range hostile.Cases() {
		var values []document.Value
		for _, d := range c.Documents {
			if !d.Check().HasErrors() {
				values = append(values, d.Value)
			}
		}
		if c.Isolated {
			all["hostile-"+c.Name] = documents(t, append(values, companions...)...)
		} else if !c.Refused {
			all["hostile"] = append(all["hostile"], documents(t, values...)...)
		}
	}
	all["hostile"] = append(all["hostile"], documents(t, companions...)...)
	for name, path := range map[string]string{
		"machine": "../../../test/consumers/agent/testdata/machine.yaml", "documents": "testdata/documents.yaml",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		docs, findings := codec.Codec{}.Decode(t.Context(), text)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		all[name] = docs
	}
	samples := map[string]sample{}
	for name, docs := range all {
		samples[name] = sample{documents: docs, target: w.target}
	}
	return samples
}

// requirements returns the users and groups that a document names.
func requirements(v document.Value) []document.Value {
	var names []string
	var owner machine.Owner
	switch d := v.(type) {
	case machine.User:
		names = append(d.Groups, d.PrimaryGroup)
	case machine.File:
		owner = d.Owner
	case machine.Directory:
		owner = d.Owner
	}
	var all []document.Value
	if owner.User != "" {
		all = append(all, machine.User{Name: owner.User})
	}
	names = append(names, owner.Group)
	for _, name := range names {
		if _, number := machine.Number(name); name != "" && !number {
			all = append(all, machine.Group{Name: name})
		}
	}
	return all
}
