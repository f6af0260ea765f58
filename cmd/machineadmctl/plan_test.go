package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// planPage is the page whose files the tests read.
const planPage = "../../docs/control-plane-plans.md"

// planFile returns the manifests of the page.
func planFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(planPage)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```yaml prod.yaml\n(.*?)```").FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("the page has no manifests")
	}
	return m[1]
}

// printedPlan is a part of the output of -o json.
type printedPlan struct {
	ControlPlanes []struct {
		Name     string
		Findings []string
		Next     struct{ Operation, Machine, Reason, Message string }
		Machines []struct{ Name, Phase, Member string }
		// Following are the operations that follow.
		Following []struct{ Operation, Machine, Reason string }
	}
}

// runPlan runs machineadmctl plan with manifests on the standard input.
func runPlan(t *testing.T, manifests string, args ...string) (code int, p printedPlan, errs string) {
	t.Helper()
	var out, problems strings.Builder
	code = run(append([]string{"plan", "-f", "-", "-o", "json"}, args...), strings.NewReader(manifests), &out, &problems)
	if code == 0 {
		if err := json.Unmarshal([]byte(out.String()), &p); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
	}
	return code, p, problems.String()
}

// newCluster removes the Machines and the status of the Cluster.
func newCluster(manifests string) string {
	manifests, _, _ = strings.Cut(manifests, "---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\n")
	return regexp.MustCompile(`(?s)status:\n  initialization.*?---`).ReplaceAllString(manifests, "---")
}

func TestPlanReasons(t *testing.T) {
	given := planFile(t)
	replace := strings.NewReplacer
	for name, c := range map[string]struct {
		reason    string
		manifests string
		operation string
		code      string
	}{
		"upgrade": {"the cluster is prepared first", given, "PrepareJoin", "PreparingJoin"},
		"up to date": {
			"nothing is to be done", replace("version: v1.36.3", "version: v1.35.6").Replace(given), "Wait", "UpToDate",
		},
		"paused": {
			"nothing is decided", replace("spec:\n  controlPlaneEndpoint", "spec:\n  paused: true\n  controlPlaneEndpoint").
				Replace(given), "Wait", "Paused",
		},
		"mistake": {
			"a finding prevents new machines", replace("version: v1.36.3", "version: v1.37.0").Replace(given), "Wait", "Held",
		},
		"members unknown": {
			"no condition reports a member that responds", replace("EtcdMemberHealthy", "Other").Replace(given), "Wait",
			"MembersUnknown",
		},
		"quorum lost": {
			"one of three responds", strings.Replace(strings.Replace(given, `EtcdMemberHealthy, status: "True"`,
				`EtcdMemberHealthy, status: "False"`, 1), `EtcdMemberHealthy, status: "True"`,
				`EtcdMemberHealthy, status: "Unknown"`, 1), "Wait", "QuorumLost",
		},
		"new": {
			"the infrastructure is not ready yet",
			newCluster(given), "Wait", "WaitingForInfrastructure",
		},
	} {
		t.Run(name, func(t *testing.T) {
			code, p, errs := runPlan(t, c.manifests)
			if code != 0 || len(p.ControlPlanes) != 1 {
				t.Fatalf("%d: %s", code, errs)
			}
			if next := p.ControlPlanes[0].Next; next.Operation != c.operation || next.Reason != c.code {
				t.Errorf("%s: %+v, findings %q", c.reason, next, p.ControlPlanes[0].Findings)
			}
		})
	}
}

// TestPlanOfANewCluster simulates a cluster from its manifests alone.
func TestPlanOfANewCluster(t *testing.T) {
	_, p, errs := runPlan(t, newCluster(planFile(t)), "--all")
	if len(p.ControlPlanes) != 1 {
		t.Fatal(errs)
	}
	var operations []string
	for _, o := range p.ControlPlanes[0].Following {
		operations = append(operations, o.Operation)
	}
	want := "GenerateCertificates CreateFirstMachine CreateMachine CreateMachine"
	if got := strings.Join(operations, " "); got != want {
		t.Errorf("the operations are %s, want %s", got, want)
	}
}

func TestPlanMistakes(t *testing.T) {
	given := planFile(t)
	observed := func(text string) string {
		name := filepath.Join(t.TempDir(), "observed.yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"other name":      {[]string{"other"}, 1, "there is no MachineadmControlPlane other"},
		"other namespace": {[]string{"-n", "other"}, 1, "there is no MachineadmControlPlane"},
		"output":          {[]string{"-o", "text"}, 2, "use json or yaml"},
		"unknown machine": {[]string{"--observed", observed("machines: [{name: x}]")}, 1, "x is not a machine of prod"},
		"unknown field":   {[]string{"--observed", observed("member: []")}, 1, `unknown field "member"`},
		"no file":         {[]string{"--observed", "missing.yaml"}, 1, "missing.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, _, errs := runPlan(t, given, c.args...); code != c.code || !strings.Contains(errs, c.want) {
				t.Errorf("exit code %d, want %d: %s", code, c.code, errs)
			}
		})
	}
}

// TestPlanCompletion completes the formats of the output.
func TestPlanCompletion(t *testing.T) {
	var out, errs strings.Builder
	run([]string{"__complete", "plan", "--output", ""}, strings.NewReader(""), &out, &errs)
	if !strings.HasPrefix(out.String(), "json\nyaml\n") {
		t.Errorf("%s%s", &out, &errs)
	}
}

// TestFormatsNameTheirFlag checks that a wrong format names the flag of the user, before the command reads its input.
func TestFormatsNameTheirFlag(t *testing.T) {
	for want, args := range map[string][]string{
		"--report-format text: no such format; use json or yaml\n": {"convert", "--report-format", "text", "-f", "-"},
		"--output a.yaml: no such format; use json or yaml, and --output-file for a file\n": {
			"render", "-o", "a.yaml", "-f", "-",
		},
	} {
		var out, errs strings.Builder
		if code := run(args, strings.NewReader(""), &out, &errs); code != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("exit code %d, want %q: %s", code, want, &errs)
		}
	}
}
