//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/domain/delivery"
)

// TestMistakesAreReportedOnce checks that a mistake is reported once, with the file, the place and the remedy.
func TestMistakesAreReportedOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config.yaml")
	text := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: etc/a}\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	mistake := name + `: error: documents[0].spec.path (line 3, column 14): "etc/a" is not absolute; begin it with a slash`
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		"apply": {"it changes nothing", []string{"apply", "-f", name}, nodecli.ExitFailed, mistake},
		"check": {"it finds mistakes", []string{"check", "-f", name}, nodecli.ExitFailed, mistake},
		"diff":  {"a mistake is not a difference", []string{"diff", "-f", name}, nodecli.ExitUsage, mistake},
		"no default": {
			"the userdata has not created it",
			[]string{"apply"},
			nodecli.ExitFailed,
			"machineadm: " + delivery.ConfigurationPath + " is not there; give --path",
		},
	}
	for title, tc := range cases {
		t.Run(title, func(t *testing.T) {
			_, errs, code := commandLine(t, t.TempDir(), "", append(tc.args, "--root", t.TempDir())...)
			if code != tc.code || strings.Count(errs, tc.want+"\n") != 1 || strings.Count(errs, "error") > 1 {
				t.Errorf("%s: exit code %d\n%s", tc.reason, code, errs)
			}
		})
	}
}
