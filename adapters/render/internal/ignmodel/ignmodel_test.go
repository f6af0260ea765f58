package ignmodel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

func build(t *testing.T, p plan.Plan, a ignmodel.Abilities) ignmodel.Model {
	t.Helper()
	m, findings, err := ignmodel.Build(t.Context(), p, a)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return m
}

// program returns the text of the program and its unit.
func program(m ignmodel.Model) (text, unit string) {
	return string(m.Files[len(m.Files)-1].Contents), ignmodel.Text(m.Units[len(m.Units)-1].Content)
}

func TestURL(t *testing.T) {
	cases := map[string]struct{ reason, contents, want string }{
		"Plain":  {"nothing to escape", "abc", "data:,abc"},
		"Empty":  {"no bytes", "", "data:,"},
		"Escape": {"few escapes are shorter than base64", "a b", "data:,a%20b"},
		"Base64": {"many escapes are longer", strings.Repeat("\x00", 9), "data:;base64,AAAAAAAAAAAA"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := ignmodel.URL([]byte(tc.contents)); got != tc.want {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

func TestCompression(t *testing.T) {
	cases := map[string]struct {
		reason, contents string
		want             bool
	}{
		"Short": {"gains nothing", strings.Repeat("a", 100), false},
		"Long":  {"gains", strings.Repeat("a", 1000), true},
	}
	e := ignmodel.NewEncoder()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			first, got := e.URL([]byte(tc.contents))
			again, _ := e.URL([]byte(tc.contents))
			if got != tc.want || first != again {
				t.Errorf("%s: compressed %t, %s, then %s", tc.reason, got, first, again)
			}
		})
	}
}

// TestProgramOrNative checks which steps the engine runs.
func TestProgramOrNative(t *testing.T) {
	fetch := action.FetchFile{Path: "/opt/a", URL: "https://example.com/a", SHA256: strings.Repeat("0", 64)}
	local := fetch
	local.URL = "file:///a"
	private := fetch
	private.Authorities = "PEM"
	newest, oldest, none := ignmodel.Newest.Abilities(), ignmodel.Specification(0).Abilities(), ignmodel.Abilities{}
	all := func(op ...action.Operation) []action.Operation { return op }
	cases := map[string]struct {
		reason    string
		abilities ignmodel.Abilities
		steps     []action.Operation
		// native reports for each step whether the engine runs it.
		native []bool
	}{
		"Fetch":        {"verified by the engine", newest, all(fetch), []bool{true}},
		"FetchSHA256":  {"an old engine cannot verify", oldest, all(fetch), []bool{false}},
		"FetchLocal":   {"the engine fetches from the web", newest, all(local), []bool{false}},
		"FetchPrivate": {"the engine would trust the authority for all that it fetches", newest, all(private), []bool{false}},
		"FetchTrust": {
			"the engine does not know the plan's certificates", newest,
			all(action.RunCommand{Name: "trust", Script: "true", When: document.PhaseTrust}, fetch),
			[]bool{false, false},
		},
		"AppendAfterProgram": {
			"what the program writes it must add to", oldest,
			all(fetch, ignmodeltest.Appended("/opt/a", "x")),
			[]bool{false, false},
		},
		"Append": {"an existing file", newest, all(ignmodeltest.Appended("/etc/a", "x")), []bool{true}},
		"AppendASecret": {
			"the engine would make a file that is not there for everybody", newest,
			all(secretly(ignmodeltest.Appended("/etc/a", "x"))),
			[]bool{false},
		},
		"AppendWithoutMode": {
			"an old engine would take the mode away", none, all(ignmodeltest.Appended("/etc/a", "x")),
			[]bool{false},
		},
		"Directory": {
			"an old engine gives its mode to the parents", none,
			all(action.MakeDirectory{Path: "/a/b", Mode: 0o700}),
			[]bool{false},
		},
		"BelowLink": {"the engine refuses it", newest, all(action.Link{Path: "/a", Target: "/b"},
			ignmodeltest.Text("/a/c", "")), []bool{true, false}},
		"BehindMount": {
			"the engine would write below it", newest,
			all(action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/a"}}, ignmodeltest.Text("/a/c", "")),
			[]bool{true, false},
		},
		"OnMount": {
			"the engine mounts it", newest,
			all(action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/vdb", Format: "ext4", Label: "l"}},
				action.MountFilesystem{Mount: machine.Mount{Source: "LABEL=l", Path: "/a"}}, ignmodeltest.Text("/a/c", "")),
			[]bool{true, true, true},
		},
		"SwapFile": {
			"it has to be made", newest, all(action.EnableSwap{Swap: machine.Swap{Path: "/swap", SizeMiB: 1}}),
			[]bool{false},
		},
		"SwapDevice": {"a unit", newest, all(action.EnableSwap{Swap: machine.Swap{Device: "/dev/vdb"}}), []bool{true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := build(t, ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), tc.steps...), tc.abilities)
			last := "storage.files[" + string(rune('0'+len(m.Files)-1)) + "]"
			var got []bool
			for _, place := range m.Places {
				got = append(got, place != last)
			}
			if diff := cmp.Diff(tc.native, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestProgramUnit(t *testing.T) {
	on := true
	fact := action.WriteFile{File: machine.File{Path: "/a", Content: document.FromFact(document.FactHostname)}}
	cases := map[string]struct {
		reason, id string
		steps      []action.Operation
		has, lacks string
		byAgent    bool
	}{
		"Flatcar": {reason: "containerd is its runtime", id: "flatcar", has: " containerd.service\n", lacks: "metadata"},
		"FCOS":    {reason: "CRI-O is its runtime", id: "fedora-coreos", has: " crio.service\n", lacks: "afterburn"},
		"Planned": {
			reason: "a runtime that the plan names", id: "flatcar",
			steps: []action.Operation{action.EnsureUnit{Unit: machine.Unit{Name: "crio.service", Enabled: &on}}},
			has:   " containerd.service crio.service\n", lacks: "metadata",
		},
		"Facts": {
			reason: "the program reads the file itself: not every variable in it is a fact", id: "flatcar",
			steps: []action.Operation{fact},
			has:   "\nWants=network-online.target coreos-metadata.service\n", lacks: "EnvironmentFile",
		},
		"FactsUnit": {
			reason: "which has to run", id: "fedora-coreos", steps: []action.Operation{fact},
			has: "\nWants=network-online.target afterburn.service\n", lacks: "coreos-metadata",
		},
		"Agent": {
			reason: "the agent reads the file itself", id: "flatcar", byAgent: true,
			has: "\nWants=network-online.target coreos-metadata.service\nAfter=network-online.target systemd-sysext.service " +
				"coreos-metadata.service ", lacks: "EnvironmentFile",
		},
		"AgentFCOS": {
			reason: "of any name", id: "fedora-coreos", byAgent: true,
			has: "\nWants=network-online.target afterburn.service\n", lacks: "coreos-metadata",
		},
		"AgentElse": {
			reason: "a system without such a service", id: "rhel-edge", byAgent: true,
			has: "\nWants=network-online.target\n", lacks: "metadata",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := ignmodeltest.Of(ignmodeltest.Target(tc.id, ""), tc.steps...)
			p.Facts = tc.byAgent
			_, unit := program(build(t, p, ignmodel.Newest.Abilities()))
			if !strings.Contains(unit, tc.has) || strings.Contains(unit, tc.lacks) {
				t.Errorf("%s:\n%s", tc.reason, unit)
			}
		})
	}
}

// TestUnitsOfProgram checks which units the program must start or restart although the engine configures them.
func TestUnitsOfProgram(t *testing.T) {
	on := true
	unit := action.EnsureUnit{
		Unit:      machine.Unit{Name: "a.service", Enabled: &on},
		RestartOn: []document.Kind{machine.KindFile},
	}
	file := action.WriteFile{File: machine.File{Path: "/a", Content: document.FromFact(document.FactHostname)}}
	extension := action.Link{Path: "/etc/extensions/a.raw", Target: "/opt/a.raw"}
	restart := action.EnsureUnit{Unit: machine.Unit{Name: "a.service"}, RestartOn: []document.Kind{machine.KindFile}}
	facts := action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Enabled: &on, DropIns: []machine.DropIn{{
		Name: "10-zone.conf", Content: document.FromFact(document.FactHostname),
	}}}}
	cases := map[string]struct {
		reason     string
		steps      []action.Operation
		has, lacks string
	}{
		"Facts": {
			"its drop-in is written when the facts are known",
			[]action.Operation{facts},
			"systemctl daemon-reload&&{ ! systemctl -q is-active a.service||systemctl restart a.service;}&&" +
				"_enable_now a.service", "%%",
		},
		"Nothing": {"only a restart is asked, and none is needed", []action.Operation{
			ignmodeltest.Text("/a", "x"),
			restart,
		}, "", "a.service"},
		"Set": {"in place before it starts", []action.Operation{ignmodeltest.Text("/a", "x"), unit}, "", "a.service"},
		"Restarted": {
			"its file is written later",
			[]action.Operation{file, unit},
			"systemctl restart a.service", "enable",
		},
		"Late": {
			"an extension brings it",
			[]action.Operation{extension, unit},
			"_enable_now a.service", "restart",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			text, _ := program(build(t, ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), tc.steps...),
				ignmodel.Newest.Abilities()))
			if !strings.Contains(text, tc.has) || strings.Contains(text, tc.lacks) {
				t.Errorf("%s:\n%s", tc.reason, text)
			}
		})
	}
}

// TestOwnersOfAppends names one of user and group alone: chown(1) fails at a number without a group, and the engine
// leaves the group as it is.
func TestOwnersOfAppends(t *testing.T) {
	op := ignmodeltest.Appended("/etc/a", "x")
	op.Owner.User = "1234"
	p := ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), op)
	want := machine.Owner{User: "1234", Group: "root"}
	if got := build(t, p, ignmodel.Newest.Abilities()).Files[0].Owner; got != want {
		t.Errorf("the engine gives the file to %v", got)
	}
	if text, _ := program(build(t, p, ignmodel.Abilities{})); !strings.Contains(text, "chown 1234:root ") {
		t.Errorf("the program:\n%s", text)
	}
}

func TestPartitionNumbers(t *testing.T) {
	disk := action.PartitionDisk{Disk: machine.Disk{
		Device:     "/dev/vdb",
		Partitions: []machine.Partition{{Label: "a", SizeMiB: 1}, {Number: 2, SizeMiB: 1}, {}},
	}}
	m := build(t, ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), disk), ignmodel.Newest.Abilities())
	var got []int
	for _, p := range m.Disks[0].Partitions {
		got = append(got, p.Number)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

func TestSudoers(t *testing.T) {
	p := ignmodeltest.Of(ignmodeltest.Target("flatcar", ""),
		action.EnsureUser{User: machine.User{Name: "a.b", Sudo: "ALL=(ALL) ALL"}},
		action.EnsureUser{User: machine.User{Name: "ADMIN", Sudo: "ALL=(ALL) NOPASSWD:ALL"}})
	m := build(t, p, ignmodel.Newest.Abilities())
	for i, want := range []string{
		"/etc/sudoers.d/machineadm-a%2Eb 440: a.b ALL=(ALL) ALL\n",
		"/etc/sudoers.d/machineadm-ADMIN 440: \"ADMIN\" ALL=(ALL) NOPASSWD:ALL\n",
	} {
		f := m.Files[i]
		if diff := cmp.Diff(want, fmt.Sprintf("%s %o: %s", f.Path, f.Mode, f.Contents)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestGroupsOfTheImage checks that the program ensures groups that the image has: the engine fails if a group exists.
func TestGroupsOfTheImage(t *testing.T) {
	p := ignmodeltest.Of(ignmodeltest.Target("flatcar", ""),
		action.EnsureGroup{Group: machine.Group{Name: "docker"}}, action.EnsureGroup{Group: machine.Group{Name: "ops"}},
		action.EnsureGroup{Group: machine.Group{Name: "wheel"}}, action.EnsureUser{User: machine.User{Name: "wheel"}},
		action.EnsureUser{User: machine.User{Name: "dev", Groups: []string{"docker", "ops"}}})
	m := build(t, p, ignmodel.Newest.Abilities())
	if diff := cmp.Diff([]machine.Group{{Name: "ops"}}, m.Groups); diff != "" {
		t.Errorf("groups of the engine (-want +got):\n%s", diff)
	}
	if text, _ := program(m); !strings.Contains(text, "{ getent group docker>/dev/null||groupadd docker;}") {
		t.Errorf("the program does not ensure the group docker:\n%s", text)
	}
	if got := m.Users[0].PrimaryGroup; got != "wheel" {
		t.Errorf("primary group %q, want wheel", got)
	}
	if diff := cmp.Diff([]string{"docker", "ops"}, m.Users[1].Groups); diff != "" {
		t.Errorf("groups of the user (-want +got):\n%s", diff)
	}
}

// secretly returns the writing of what is secret.
func secretly(f action.WriteFile) action.WriteFile {
	f.Secret = true
	return f
}

// TestUnitsWithFacts checks that the engine does not start a unit whose text has facts, and that a unit is not masked.
func TestUnitsWithFacts(t *testing.T) {
	on := true
	zone := document.Join(document.Text("[Service]\nEnvironment=ZONE="), document.FromFact(document.FactZone))
	unit := action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Enabled: &on, Content: zone}}
	target := ignmodeltest.Target("flatcar", "")
	m := build(t, ignmodeltest.Of(target, unit), ignmodel.Newest.Abilities())
	if len(m.Units) != 1 || m.Units[0].Name != ignmodel.ProgramUnit {
		t.Errorf("the engine configures %d units", len(m.Units))
	}
	if !strings.Contains(ignmodel.Text(m.Units[0].Content), "coreos-metadata.service") {
		t.Error("the program does not wait for the metadata")
	}
	reserved := unit
	reserved.Name = ignmodel.ProgramUnit
	masked := action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Masked: true}}
	for want, steps := range map[string][]action.Operation{
		"is configured, and masked elsewhere": {masked, unit},
		"is reserved for machineadm":          {reserved},
	} {
		_, findings, err := ignmodel.Build(t.Context(), ignmodeltest.Of(target, steps...), ignmodel.Newest.Abilities())
		if err != nil || len(findings) != 1 || !strings.Contains(findings[0].String(), want) {
			t.Errorf("want %q: %v, %v", want, findings, err)
		}
	}
}

// TestDirectoriesThatAreMountedLate checks that the program writes below subvolumes that SUSE's systems mount after
// Ignition, and that a home directory there has a warning.
func TestDirectoriesThatAreMountedLate(t *testing.T) {
	user := func(u machine.User) action.Operation { return action.EnsureUser{User: u} }
	home := []action.Operation{
		action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/vdb", Format: "ext4"}},
		action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/home"}},
	}
	for name, tc := range map[string]struct {
		steps    []action.Operation
		native   bool
		warnings int
	}{
		"file":         {[]action.Operation{ignmodeltest.Text("/usr/local/bin/a", "")}, false, 0},
		"file in /etc": {[]action.Operation{ignmodeltest.Text("/etc/a", "")}, true, 0},
		"link":         {[]action.Operation{action.Link{Path: "/opt/a", Target: "/b"}}, false, 0},
		"home":         {[]action.Operation{user(machine.User{Name: "a"})}, true, 1},
		"home in /var": {[]action.Operation{user(machine.User{Name: "a", Home: "/var/a"})}, true, 0},
		"no home":      {[]action.Operation{user(machine.User{Name: "a", NoCreateHome: true})}, true, 0},
		"root":         {[]action.Operation{user(machine.User{Name: "root"})}, true, 0},
		"own /home":    {append(home, user(machine.User{Name: "a"})), true, 0},
	} {
		p := ignmodeltest.Of(osprofile.Target{}, tc.steps...)
		p.Target.Profile = osprofile.Profile{Family: osprofile.FamilySUSE, ButaneVariant: "fcos", Shell: osprofile.ShellPOSIX}
		m, findings, err := ignmodel.Build(t.Context(), p, ignmodel.Newest.Abilities())
		if err != nil || findings.HasErrors() || len(findings) != tc.warnings {
			t.Errorf("%s: %v, %s", name, err, findings)
			continue
		}
		last := m.Places[len(m.Places)-1]
		program := fmt.Sprintf("storage.files[%d]", len(m.Files)-1)
		if native := last != program; native != tc.native {
			t.Errorf("%s: the step is at %s, the program at %s", name, last, program)
		}
	}
}
