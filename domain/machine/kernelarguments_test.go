package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

func TestKernelArguments(t *testing.T) {
	cases := map[string]struct {
		reason         string
		exist, missing []string
		want           []report.Path
	}{
		"usual": {
			reason: "names, lists and paths of the kernel's documentation",
			exist: []string{
				"quiet", "console=ttyS1,115200n8", "nf_conntrack.hashsize=32768", "cma=64M@0-4G", "mem=!4G",
				"isolcpus=managed_irq,1-3:2/4", "root=/dev/disk/by-label/root", "cgroup.memory=nokmem",
			},
			missing: []string{"mitigations=auto,nosmt"},
		},
		"space": {
			reason: "it is two arguments",
			exist:  []string{"quiet splash"},
			want:   []report.Path{"d.shouldExist[0]"},
		},
		"newline":   {reason: "it ends the line", exist: []string{"a", "b\n"}, want: []report.Path{"d.shouldExist[1]"}},
		"quote":     {reason: "it ends a string", exist: []string{`a="b"`}, want: []report.Path{"d.shouldExist[0]"}},
		"single":    {reason: "it ends a string", missing: []string{`a='`}, want: []report.Path{"d.shouldNotExist[0]"}},
		"backslash": {reason: "it escapes", exist: []string{`a=\`}, want: []report.Path{"d.shouldExist[0]"}},
		"variable":  {reason: "GRUB replaces it", exist: []string{"a=${b}"}, want: []report.Path{"d.shouldExist[0]"}},
		"command":   {reason: "a shell may replace it", exist: []string{"a=`b`"}, want: []report.Path{"d.shouldExist[0]"}},
		"end": {
			reason: "it ends the kernel's arguments",
			exist:  []string{"--"},
			want:   []report.Path{"d.shouldExist[0]"},
		},
		"empty":   {reason: "it is none", missing: []string{""}, want: []report.Path{"d.shouldNotExist[0]"}},
		"NUL":     {reason: "it ends the line", exist: []string{"a\x00"}, want: []report.Path{"d.shouldExist[0]"}},
		"unicode": {reason: "boot loaders differ", exist: []string{"a=é"}, want: []report.Path{"d.shouldExist[0]"}},
		"long": {
			reason: "the line is limited",
			exist:  []string{strings.Repeat("a", 1025)},
			want:   []report.Path{"d.shouldExist[0]"},
		},
		"both": {
			reason:  "it is a contradiction",
			exist:   []string{"a"},
			missing: []string{"a"},
			want:    []report.Path{"d.shouldNotExist[0]"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			found := machine.KernelArguments{ShouldExist: tc.exist, ShouldNotExist: tc.missing}.Check("d")
			if len(found) != len(tc.want) {
				t.Fatalf("%d findings, want %d: %s\n%s", len(found), len(tc.want), tc.reason, found)
			}
			for i, f := range found {
				if f.Path != tc.want[i] || f.Remedy == "" {
					t.Errorf("%s, want a finding with a remedy at %s", f, tc.want[i])
				}
			}
		})
	}
}
