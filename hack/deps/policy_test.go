package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gpl is a licence that the policy does not allow, as Debian installs it.
const gpl = "/usr/share/common-licenses/GPL-3"

// sample returns a policy with a row of each kind, each of which is needed by sampleModules.
func sample() policy {
	return policy{
		AllowedLicenses:   []string{"MIT"},
		LicenseExceptions: []licenseException{{License: "MPL-2.0", Reason: "by file", Modules: []string{"example.com/mpl"}}},
		DeniedModules: []deniedModule{
			{Module: "example.com/archived", Reason: "archived"},
			{Module: "example.com/parser", Reason: "archived", LinkedBecause: "under the budget"},
		},
		PseudoVersions: []exception{{Reason: "no releases", Modules: []string{"example.com/unreleased"}}},
	}
}

func sampleModules() []module {
	mit := []string{"MIT"}
	return []module{
		{path: "example.com/mpl", version: "v1.0.0", licenses: []string{"MIT", "MPL-2.0"}},
		{path: "example.com/parser/v2", version: "v2.0.0", licenses: mit},
		{path: "example.com/unreleased", version: "v0.0.0-20201209231011-d4a079459e60", licenses: mit},
		{path: "example.com/archivedlike", version: "v1.0.0", licenses: mit},
	}
}

func without(path string) []module {
	var rest []module
	for _, m := range sampleModules() {
		if m.path != path {
			rest = append(rest, m)
		}
	}
	return rest
}

func with(m module) []module {
	if m.licenses == nil {
		m.licenses = []string{"MIT"}
	}
	return append(sampleModules(), m)
}

func TestViolations(t *testing.T) {
	cases := map[string]struct {
		reason  string
		policy  func(*policy)
		modules []module
		want    string
	}{
		"as allowed": {reason: "each row is needed", modules: sampleModules()},
		"licence": {
			reason:  "it is not in the list",
			modules: with(module{path: "a", licenses: []string{"GPL-3.0"}}), want: "a: the licence GPL-3.0",
		},
		"no licence": {
			reason:  "no program may use it",
			modules: with(module{path: "a", licenses: []string{unknown}}), want: "a: the licence unknown",
		},
		"other module": {
			reason:  "exceptions are for one module",
			modules: with(module{path: "a", licenses: []string{"MPL-2.0"}}), want: "a: the licence MPL-2.0",
		},
		"stale exception": {
			reason:  "it hides a later mistake",
			modules: without("example.com/mpl"), want: "example.com/mpl: no linked module",
		},
		"denied": {
			reason:  "archived",
			modules: with(module{path: "example.com/archived"}), want: "example.com/archived: linked, but denied: archived",
		},
		"denied, below": {
			reason:  "a part of it",
			modules: with(module{path: "example.com/archived/v3"}), want: "linked, but denied",
		},
		"stale denied": {
			reason:  "it could come back unseen",
			modules: without("example.com/parser/v2"), want: "remove its linkedBecause",
		},
		"pseudo-version": {
			reason:  "it is not a release",
			modules: with(module{path: "a", version: "v1.2.4-0.20250322232337-35a7c28c31ee"}), want: "not a released version",
		},
		"stale pseudo": {
			reason:  "there is a release now",
			modules: without("example.com/unreleased"), want: "remove it from pseudoVersions",
		},
		"replaced": {
			reason:  "other code than its name suggests",
			modules: with(module{path: "a", replaced: true}), want: "a: a replace directive",
		},
		"denied, no reason": {
			reason: "rows need a reason",
			policy: func(p *policy) { p.DeniedModules[0].Reason = " " }, modules: sampleModules(), want: "has no reason",
		},
		"pseudo, no reason": {
			reason: "rows need a reason",
			policy: func(p *policy) { p.PseudoVersions[0].Reason = "" }, modules: sampleModules(), want: "has no reason",
		},
		"licence, no reason": {
			reason: "rows need a reason",
			policy: func(p *policy) { p.LicenseExceptions[0].Reason = "" }, modules: sampleModules(), want: "has no reason",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := sample()
			if c.policy != nil {
				c.policy(&p)
			}
			got := strings.Join(p.violations(c.modules), "\n")
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// TestForbiddenLicenseIsFound plants the GNU General Public License in a module, also where only copied code has it.
func TestForbiddenLicenseIsFound(t *testing.T) {
	for name, linked := range map[string]string{
		"LICENSE": ".", "license.md": ".", "COPYING": ".", "third_party/copied/LICENCE.txt": "third_party/copied",
		"LICENSE_GPL": ".", "MIT-LICENSE.txt": ".", "MIT.LICENSE": ".", "COPYING3": ".", "gpl-3.0.txt": ".",
		"LICENSES/GPL-3.0-only.txt": ".", "LICENSES": ".",
	} {
		root := t.TempDir()
		content, err := os.ReadFile(gpl)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		m := &module{path: "example.com/planted", version: "v1.0.0"}
		if err := m.read(root, filepath.Join(root, linked), map[string]bool{}); err != nil {
			t.Fatal(err)
		}
		got := policy{AllowedLicenses: []string{"MIT"}}.violations(sorted(map[string]*module{m.path: m}))
		if len(got) != 1 || !strings.Contains(got[0], "example.com/planted: the licence GPL-3.0") {
			t.Errorf("%s: %v", name, got)
		}
		text := licensesText([]module{*m})
		for _, want := range []string{"example.com/planted v1.0.0", "GNU GENERAL PUBLIC LICENSE"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not among the notices: %.300s", name, want, text)
			}
		}
	}
}

// TestUnknownLicenses holds that a text counts as a licence only if most of it is known.
func TestUnknownLicenses(t *testing.T) {
	for _, content := range []string{"", "You may use this on Sundays.\n", "MIT"} {
		if got := identify([]byte(content)); len(got) != 1 || got[0] != unknown {
			t.Errorf("%q is %v", content, got)
		}
	}
}

// TestLinkedModulesKeepThePolicy holds the programs and the tree to the policy.
func TestLinkedModulesKeepThePolicy(t *testing.T) {
	t.Chdir("../..")
	readSources(t)
	if err := check(t.Context()); err != nil {
		t.Error(err)
	}
}
