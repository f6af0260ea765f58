package containerlinux_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	clct "github.com/flatcar/container-linux-config-transpiler/config"
	"github.com/flatcar/container-linux-config-transpiler/config/platform"
	vreport "github.com/flatcar/ignition/config/validate/report"

	"github.com/machineadm/machineadm/domain/report"
)

// TestRecord holds the record against the transpiler itself.
func TestRecord(t *testing.T) {
	all := map[string]recorded{}
	for _, f := range corpus(t) {
		parsed, ast, entries := clct.Parse(f.Data)
		var r recorded
		if !entries.IsFatal() {
			c, more := clct.Convert(parsed, platform.Custom, ast)
			entries.Merge(more)
			r.Config = &c
		}
		if entries.IsFatal() {
			r.Config = nil
		}
		for _, e := range entries.Entries {
			s := report.Warning
			if e.Kind == vreport.EntryError {
				s = report.Error
			} else if e.Kind == vreport.EntryInfo {
				s = report.Info
			}
			r.Findings = append(r.Findings, fmt.Sprintf("%s %d:%d %s", s, e.Line, e.Column, e.Message))
		}
		slices.Sort(r.Findings)
		all[f.Name] = r
	}
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if held, err := os.ReadFile("testdata/transpiler.json"); err != nil || string(held) != string(data)+"\n" {
		t.Errorf("the transpiler says something else than is recorded: %v", err)
	}
}
