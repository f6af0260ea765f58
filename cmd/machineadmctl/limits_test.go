package main

import (
	"strings"
	"testing"
)

// relativeFiles returns a config on one line with n files, none of which has an absolute path.
func relativeFiles(n int) string {
	return "{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfig, metadata: {name: m}, " +
		"spec: {os: {distribution: debian}, machine: {files: [" + strings.Repeat("{path: é},", n) + "]}}}\n"
}

// TestFindingsAreLimited validates a small manifest with many mistakes on one long line.
func TestFindingsAreLimited(t *testing.T) {
	manifest := relativeFiles(3000)
	for _, args := range [][]string{{}, {"-o", "json"}, {"-o", "yaml"}} {
		var out, errs strings.Builder
		if code := run(append([]string{"validate", "--kubernetes-version", "v1.36.3", "-f", "-"}, args...),
			strings.NewReader(manifest), &out, &errs); code != 1 {
			t.Fatalf("%v: exit code %d\n%.500s", args, code, errs.String())
		}
		printed := out.String() + errs.String()
		if len(printed) > 1<<18 || !strings.Contains(printed, " more findings are omitted") {
			t.Errorf("%v: %d bytes for %d\n%s", args, len(printed), len(manifest), printed[max(0, len(printed)-300):])
		}
		for line := range strings.Lines(printed) {
			if len(line) > 400 {
				t.Errorf("%v: a line of %d bytes", args, len(line))
				break
			}
		}
	}
}
