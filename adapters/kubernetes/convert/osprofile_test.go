package convert_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// TestOSProfileRoundTrip verifies that a printed profile can be read again.
func TestOSProfileRoundTrip(t *testing.T) {
	for _, p := range osprofile.Builtin() {
		for name, write := range map[string]func(osprofile.Profile) ([]byte, error){
			"yaml": convert.OSProfileYAML,
			"json": convert.OSProfileJSON,
		} {
			t.Run(p.ID+" "+name, func(t *testing.T) {
				text, err := write(p)
				if err != nil {
					t.Fatal(err)
				}
				got, found := convert.ReadOSProfile(t.Context(), text, "at")
				if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" || found != nil {
					t.Errorf("%v\n%s", found, diff)
				}
			})
		}
	}
}

const profileHead = "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: OSProfile\n"

func TestOSProfileExtends(t *testing.T) {
	base, _ := osprofile.Lookup("flatcar")
	cases := map[string]struct {
		reason, text string
		change       func(*osprofile.Profile)
	}{
		"nothing": {reason: "all facts are the other's", text: "extends: flatcar", change: func(*osprofile.Profile) {}},
		"words": {
			text: "extends: flatcar\nid: my-flatcar\nname: My Flatcar\nselinux: true\nbinDir: /opt/my/bin",
			change: func(p *osprofile.Profile) {
				p.ID, p.Name, p.SELinux, p.BinDir = "my-flatcar", "My Flatcar", true, "/opt/my/bin"
			},
		},
		"lists": {
			reason: "a list is replaced as a whole, by none as well", text: "extends: flatcar\nnoExec: []\nupdaters: [a.timer]",
			change: func(p *osprofile.Profile) { p.NoExec, p.Updaters = nil, []string{"a.timer"} },
		},
		"a list of mappings": {
			text: "extends: flatcar\nformats:\n- format: cloud-init\nbutaneVariant: \"\"",
			change: func(p *osprofile.Profile) {
				p.Formats, p.ButaneVariant = []osprofile.FormatSupport{{Format: "cloud-init"}}, ""
			},
		},
		"mappings": {
			reason: "of a mapping only what is given", text: "extends: flatcar\ntrust: {extension: .crt}\nmetadata: {prefix: " +
				"MY_}\nsysextArchitectures: {arm64: aarch64}",
			change: func(p *osprofile.Profile) {
				p.Trust.Extension, p.Metadata.Prefix, p.SysextArch["arm64"] = ".crt", "MY_", "aarch64"
			},
		},
		"taken away": {text: "extends: flatcar\nmetadata: null", change: func(p *osprofile.Profile) { p.Metadata = nil }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want, _ := osprofile.Lookup("flatcar")
			tc.change(&want)
			got, found := convert.ReadOSProfile(t.Context(), []byte(profileHead+tc.text), "at")
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || found != nil {
				t.Errorf("%s\n%v\n%s", tc.reason, found, diff)
			}
		})
	}
	if again, _ := osprofile.Lookup("flatcar"); !cmp.Equal(again, base) {
		t.Error("the built-in profile was changed")
	}
}

func TestOSProfileMistakes(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"no YAML": {text: "a: [", want: []string{"error: at (line 1, column 1): this is not YAML: a value is missing"}},
		"empty":   {text: "", want: []string{"error: at (line 1, column 1): this is not a profile: it is not a mapping"}},
		"a list": {
			text: "- a",
			want: []string{"error: at (line 1, column 1): this is not a profile: it is not a mapping"},
		},
		"not utf-8": {text: "\xff", want: []string{"error: at: this is not YAML: it is not UTF-8"}},
		"head": {
			text: "extends: debian",
			want: []string{
				`error: at: apiVersion: "" is not supported; write bootstrap.machineadm.io/v1alpha1`,
				`error: at: kind: "" is not the kind of a profile; write OSProfile`,
			},
		},
		"other kind": {
			text: "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: Profile\nextends: debian",
			want: []string{`error: at (line 2, column 7): kind: "Profile" is not the kind of a profile; write OSProfile`},
		},
		"unknown base": {
			text: profileHead + "extends: hurd",
			want: []string{`error: at (line 3, column 10): extends: there is no profile "hurd"; there are ` +
				strings.Join(osprofile.IDs(), ", ")},
		},
		"unknown field": {
			reason: "strict: a misspelt field is not left out in silence",
			text:   profileHead + "extends: debian\nbindir: /opt/bin",
			want:   []string{"error: at (line 4, column 1): there is no field bindir"},
		},
		"unknown field of a format": {
			text: profileHead + "extends: debian\nformats:\n- formt: cloud-init",
			want: []string{"error: at (line 5, column 1): there is no field formt"},
		},
		"type": {
			text: profileHead + "extends: debian\nselinux: maybe",
			want: []string{"error: at (line 4, column 1): cannot unmarshal str `maybe` into bool"},
		},
		"twice": {
			text: profileHead + "extends: debian\nid: a\nid: b",
			want: []string{`error: at (line 5, column 1): the key is already in line 4; remove one of them`},
		},
		"two documents": {
			text: profileHead + "extends: debian\n---\na: b",
			want: []string{"error: at: a second document follows; a text has one profile"},
		},
		"too large": {
			text: "#" + strings.Repeat("x", 64<<10),
			want: []string{"error: at: the profile has 65537 bytes, and 65536 are the most"},
		},
		"values": {
			reason: "the domain's findings have the line of the field",
			text: profileHead + "extends: debian\nbinDir: opt\nformats:\n- format: cloud-init\n- format: Scroll\ntrust:\n  " +
				"extension: crt\nsysextArchitectures:\n  s390x: a",
			want: []string{
				`error: at (line 7, column 11): formats[1].format: "Scroll" is not the name of a format`,
				`error: at (line 4, column 9): binDir: "opt" is not absolute and clean`,
				`error: at (line 11, column 10): sysextArchitectures["s390x"]: "s390x" is not a known value; use ` +
					`one of ["amd64" "arm64"]`,
				`error: at (line 9, column 14): trust.extension: "crt" is not the extension of a file name, such as .crt`,
			},
		},
		"alone": {
			reason: "without a base every fact is to be given", text: profileHead + "id: a\nname: A",
			want: []string{
				`error: at: family: "" is not a known value; use one of ["flatcar" "coreos" "debian" "rhel" ` +
					`"suse" "photon" "talos" "bottlerocket" "windows"]`,
				`error: at: shell: "" is not a known value; use one of ["posix" "powershell" "none"]`,
				`error: at: containerRuntime: "" is not a known value; use one of ["containerd" "crio"]`,
				`error: at: formats: no format is given that the system reads`,
				`error: at: provision: "" is not a known value; use one of ["Image" "Sysext" "Package" "Download"]`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, found := convert.ReadOSProfile(t.Context(), []byte(tc.text), "at")
			var got []string
			for _, f := range found {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || p.ID != "" {
				t.Errorf("%s: profile %q\n-want +got\n%s", tc.reason, p.ID, diff)
			}
		})
	}
}

// FuzzReadOSProfile verifies that nothing panics, and that a valid profile survives a round trip.
func FuzzReadOSProfile(f *testing.F) {
	for _, p := range osprofile.Builtin() {
		text, _ := convert.OSProfileYAML(p)
		f.Add(text)
	}
	for _, seed := range []string{
		"", "a: [", profileHead + "extends: flatcar\nmetadata: null", profileHead + "a: &a [*a]",
		"extends: [flatcar]", profileHead + "extends: debian\nformats: {}",
	} {
		f.Add([]byte(seed))
	}
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, text []byte) {
		var p osprofile.Profile
		var found report.Report
		memory.Below(t, memory.Parse, func() { p, found = convert.ReadOSProfile(t.Context(), text, "at") })
		if found.HasErrors() {
			return
		}
		again, err := convert.OSProfileYAML(p)
		if err != nil {
			t.Fatal(err)
		}
		read, found := convert.ReadOSProfile(t.Context(), again, "at")
		if diff := cmp.Diff(p, read, cmpopts.EquateEmpty()); diff != "" || found != nil {
			t.Errorf("%v\n%s", found, diff)
		}
	})
}
