package cloudinit_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// read parses the document; a field that is not in userdata is an error.
func read(t testing.TB, data []byte) userdata {
	t.Helper()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var u userdata
	if err := decoder.Decode(&u); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return u
}

// bytes decodes the content as cloud-init does.
func (f writeFile) bytes(t testing.TB) []byte {
	t.Helper()
	content := []byte(f.Content)
	if f.Encoding == "" {
		return content
	}
	content, err := base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		t.Fatal(err)
	}
	if f.Encoding == "b64" {
		return content
	}
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	content, err = io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestPayload(t *testing.T) {
	p := render(t, worker()).Payload
	if p.Format != delivery.FormatCloudInit || p.FileExtension != ".yaml" {
		t.Errorf("payload %v", p)
	}
	if !bytes.HasPrefix(p.Data.Reveal(), []byte("#cloud-config\n")) {
		t.Errorf("cloud-init does not know it: %.40q", p.Data.Reveal())
	}
	if (cloudinit.Renderer{}).Format() != delivery.FormatCloudInit {
		t.Error("format")
	}
	if (cloudinit.Renderer{}).Native(document.Document{Value: machine.File{}}, debian()) {
		t.Error("a document is rendered natively")
	}
}

func TestSamePlanSameBytes(t *testing.T) {
	want := render(t, worker()).Payload.Data.Reveal()
	for range 20 {
		if diff := cmp.Diff(string(want), string(render(t, worker()).Payload.Data.Reveal())); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestOutputPathOfEachStep(t *testing.T) {
	gid, yes := 5, true
	rendering := render(t, planOf(
		action.Action{Do: action.PartitionDisk{Disk: machine.Disk{Device: "/dev/vdb", Partitions: []machine.Partition{{}}}}},
		action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: "g"}}},
		action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: "h", GID: &gid}}},
		action.Action{Do: action.EnsureUser{User: machine.User{Name: "u"}}},
		file("/etc/a", "a"),
		action.Action{Do: action.MakeDirectory{Path: "/etc/d"}},
		action.Action{Do: action.EnsureUnit{Unit: machine.Unit{
			Name: "a.service", Content: document.Text("[Service]\n"), Enabled: &yes,
		}}},
		action.Action{Do: action.EnsureUnit{Unit: machine.Unit{Name: "b.service", Enabled: &yes}}},
		run(document.PhaseBoot, "true"),
	))
	want := []string{
		"bootcmd[1]", "groups[0]", "bootcmd[1]", "users[0]", "write_files[0]", "runcmd[0]", "write_files[1], runcmd[0]",
		"runcmd[0]", "runcmd[0]",
	}
	if diff := cmp.Diff(want, rendering.Places); diff != "" {
		t.Error(diff)
	}
}

// TestStages checks which stage writes a file: write_files, early, or the program.
func TestStages(t *testing.T) {
	user := action.Action{Do: action.EnsureUser{User: machine.User{Name: "app", Home: "/srv/app"}}}
	owned := func(path, user, group string) action.Action {
		return fileOf(machine.File{Path: path, Content: document.Text("x"), Owner: machine.Owner{User: user, Group: group}})
	}
	cases := map[string]struct {
		reason  string
		actions []action.Action
		path    string
		want    string
	}{
		"Root":         {"nothing to wait for", []action.Action{file("/etc/x", "x")}, "/etc/x", "early"},
		"RootByNumber": {"0 is root", []action.Action{owned("/etc/x", "0", "0")}, "/etc/x", "early"},
		"OwnedInEtc": {
			"the user is made after write_files",
			[]action.Action{user, owned("/etc/x", "app", "")},
			"/etc/x", "program",
		},
		"Group": {"so may the group be", []action.Action{owned("/etc/x", "", "app")}, "/etc/x", "program"},
		"InHome": {
			"write_files follows a link of the user's",
			[]action.Action{user, file("/srv/app/x", "x")},
			"/srv/app/x", "program",
		},
		"OwnedInHome": {
			"so it does if the file is the user's",
			[]action.Action{user, owned("/srv/app/x", "app", "app")},
			"/srv/app/x", "program",
		},
		"InUsersHome": {"the image has the user", []action.Action{file("/home/ubuntu/x", "x")}, "/home/ubuntu/x", "program"},
		"InOwned": {
			"the directory is given away", []action.Action{{Do: action.MakeDirectory{
				Path:  "/srv/d",
				Owner: machine.Owner{User: "app"},
			}}, file("/srv/d/x", "x")}, "/srv/d/x", "program",
		},
		"OwnedBelowNew": {
			"cloud-init would give the user the directory too",
			[]action.Action{user, owned("/srv/app/new/x", "app", "")},
			"/srv/app/new/x", "program",
		},
		"Number": {"cloud-init looks up names only", []action.Action{owned("/etc/x", "1000", "")}, "/etc/x", "program"},
		"SetUID": {
			"cloud-init changes the owner last",
			[]action.Action{fileOf(machine.File{Path: "/opt/x", Mode: 0o4755})},
			"/opt/x", "program",
		},
		"Tmp": {
			"cleaned while the machine boots, and write_files follows links later",
			[]action.Action{file("/tmp/x", "x")},
			"/tmp/x", "program",
		},
		"Facts": {"known on the machine only", []action.Action{fileOf(machine.File{
			Path:    "/etc/x",
			Content: document.FromFact(document.FactRegion),
		})}, "/etc/x", "program"},
		"Proxy": {
			"the program reads it for its downloads",
			[]action.Action{file("/etc/machineadm/proxy.env", "x")},
			"/etc/machineadm/proxy.env", "program",
		},
		"Packages": {
			"a package may bring the same file",
			[]action.Action{packages(), file("/etc/chrony.conf", "x")},
			"/etc/chrony.conf", "program",
		},
		"OurOwn": {
			"no package brings it",
			[]action.Action{packages(), file("/etc/kubernetes/x", "x")},
			"/etc/kubernetes/x", "early",
		},
		"BelowLink": {
			"the link must be there first",
			[]action.Action{{Do: action.Link{Path: "/opt/l", Target: "/srv"}}, file("/opt/l/x", "x")},
			"/opt/l/x", "program",
		},
		"AfterFetch": {"appended to what is fetched", []action.Action{
			{Do: action.FetchFile{Path: "/opt/x", URL: "http://a/x", SHA256: "0"}},
			fileOf(machine.File{Path: "/opt/x", Content: document.Text("x"), Append: true}),
		}, "/opt/x", "program"},
		"AfterOwned": {"appended to what the program writes", []action.Action{
			owned("/etc/x", "app", ""),
			fileOf(machine.File{Path: "/etc/x", Content: document.Text("x"), Append: true}),
		}, "/etc/x", "program"},
		"AppendToTheImages": {"cloud-init would change its permissions and owner", []action.Action{
			fileOf(machine.File{Path: "/etc/x", Content: document.Text("x"), Append: true}),
		}, "/etc/x", "program"},
		"AppendWithAllGiven": {"nothing is changed that was not asked for", []action.Action{fileOf(machine.File{
			Path:    "/etc/x",
			Content: document.Text("x"), Append: true, Mode: 0o644, Owner: machine.Owner{User: "root", Group: "root"},
		})}, "/etc/x", "early"},
		"Secret": {
			"write_files creates files for every user to read",
			[]action.Action{private("/etc/x", "", false)},
			"/etc/x", "private",
		},
		"ModeOfRootAlone": {"so it is with a file that others may not read", []action.Action{fileOf(machine.File{
			Path: "/etc/x", Content: document.Text("x"), Mode: 0o640,
		})}, "/etc/x", "private"},
		"SecretOfUser": {
			"only root may enter the directory",
			[]action.Action{user, private("/etc/x", "app", false)},
			"/etc/x", "program",
		},
		"SecretInHome": {
			"the home must be there first",
			[]action.Action{user, private("/srv/app/x", "", false)},
			"/srv/app/x", "program",
		},
		"SecretAppended": {
			"write_files opens a new file for all",
			[]action.Action{private("/etc/x", "", true)},
			"/etc/x", "program",
		},
		"AfterSecret": {"the second entry must find the first", []action.Action{
			private("/etc/x", "", false), file("/etc/x", "y"),
		}, "/etc/x", "private program"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			u := read(t, render(t, planOf(tc.actions...)).Payload.Data.Reveal())
			var got []string
			for _, f := range u.WriteFiles {
				switch f.Path {
				case tc.path:
					got = append(got, "early")
				case privateDir + tc.path:
					got = append(got, "private")
				}
			}
			program := string(u.program(t))
			if strings.Contains(program, tc.path) {
				got = append(got, "program")
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s: %s", tc.reason, diff)
			}
		})
	}
}

// private returns the action that writes a secret file.
func private(path, user string, appends bool) action.Action {
	return fileOf(machine.File{
		Path: path, Content: document.Text("x"), Secret: true, Append: appends,
		Owner: machine.Owner{User: user},
	})
}

// TestAppendKeeps checks that an entry that appends to an earlier one has the same permissions and owner.
func TestAppendKeeps(t *testing.T) {
	owner := machine.Owner{User: "root", Group: "root"}
	u := read(t, render(t, planOf(
		fileOf(machine.File{Path: "/etc/x", Content: document.Text("a"), Mode: 0o664, Owner: owner}),
		fileOf(machine.File{Path: "/etc/x", Content: document.Text("b"), Append: true}),
	)).Payload.Data.Reveal())
	want := []writeFile{
		{Path: "/etc/x", Permissions: "0664", Content: "a"},
		{Path: "/etc/x", Permissions: "0664", Append: true, Content: "b"},
	}
	if diff := cmp.Diff(want, u.WriteFiles[:2]); diff != "" {
		t.Error(diff)
	}
}

func packages() action.Action {
	return action.Action{Do: action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"chrony"}}}}
}

func (u userdata) program(t testing.TB) []byte {
	t.Helper()
	i := indexOf(u.WriteFiles, privateDir+"/etc/machineadm/bootstrap")
	if i < 0 {
		t.Fatal("no program")
	}
	return u.WriteFiles[i].bytes(t)
}

func TestProgramIsTheLastEarlyFile(t *testing.T) {
	p := planOf(file("/etc/a", "a"), fileOf(machine.File{Path: "/etc/b", Owner: machine.Owner{User: "daemon"}}),
		run(document.PhaseBoot, "true"))
	p.Snippets = snippets("write_files: [{path: /etc/c}]")
	var got []string
	for _, f := range read(t, render(t, p).Payload.Data.Reveal()).WriteFiles {
		got = append(got, f.Path)
	}
	want := []string{
		"/etc/a", privateDir + "/etc/machineadm/boot", "/etc/systemd/system/machineadm-boot.service", "/etc/c",
		privateDir + "/etc/machineadm/bootstrap",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
