package kubeadm_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	plugin "github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/kubeadmnames"
)

// minors are the minor versions of the programs.
func minors() map[string]int { return map[string]int{newest: 36, native: 30} }

// texts returns the names of the version that do not match the pattern.
func texts(names []kubeadmnames.Name, minor int, except string) []string {
	var list []string
	for _, n := range names {
		if minor >= n.Since && (n.Removed == 0 || minor < n.Removed) && !regexp.MustCompile(except).MatchString(n.Text) {
			list = append(list, n.Text)
		}
	}
	slices.Sort(list)
	return list
}

// TestPhasesOfTheTable shows that the table has the phases that the programs list, and that these accept the others.
func TestPhasesOfTheTable(t *testing.T) {
	const hidden = `/all$|^etcd-join$|^check-etcd$|^kubelet-wait-bootstrap$|^control-plane-join/update-status$|` +
		`^(control-plane-join/etcd|wait-control-plane)$`
	tables := map[string][]kubeadmnames.Name{"init": kubeadmnames.InitPhases(), "join": kubeadmnames.JoinPhases()}
	for program, minor := range minors() {
		for command, table := range tables {
			t.Run(program+"/"+command, func(t *testing.T) {
				m := newMachine(t, program, "")
				listed := slices.DeleteFunc(phasesIn(m.mustRun(t, command, "--help")), regexp.MustCompile(hidden).MatchString)
				if d := cmp.Diff(texts(table, minor, hidden), listed); d != "" {
					t.Errorf("the program has other phases (-table +program):\n%s", d)
				}
				args := append(arguments(t, program)[command], "--skip-phases",
					strings.Join(append(texts(table, minor, `^$`), "no-such-phase"), ","))
				if out, err := m.run(t, args...); err == nil || !strings.Contains(out, "invalid phase name: no-such-phase") {
					t.Errorf("a phase of the table is refused: %s", out)
				}
			})
		}
	}
}

// arguments returns arguments with which the commands start.
func arguments(t *testing.T, program string) map[string][]string {
	t.Helper()
	return map[string][]string{
		"init": {"init", "--apiserver-advertise-address", "10.0.0.7", "--kubernetes-version", version(t, program)},
		"join": {
			"join", "10.0.0.1:6443", "--token", "abcdef.0123456789abcdef", "--discovery-token-unsafe-skip-ca-verification",
		},
	}
}

// phasesIn returns the phases in a help text, which are indented below their parents.
func phasesIn(help string) []string {
	_, block, _ := strings.Cut(help, "```\n")
	block, _, _ = strings.Cut(block, "```")
	var phases []string
	parent := ""
	for _, line := range strings.Split(strings.TrimRight(block, "\n"), "\n") {
		name := strings.Fields(line)[0]
		if !strings.HasPrefix(name, "/") {
			parent = name
			phases = append(phases, name)
			continue
		}
		phases = append(phases, parent+name)
	}
	slices.Sort(phases)
	return phases
}

// TestPauseTags shows that the programs use the pause images of the table.
func TestPauseTags(t *testing.T) {
	for program, minor := range minors() {
		t.Run(program, func(t *testing.T) {
			m := newMachine(t, program, "")
			api := map[string]string{newest: "v1beta4", native: "v1beta3"}[program]
			m.write(t, "/kubeadm.yaml", []byte("apiVersion: kubeadm.k8s.io/"+api+"\nkind: InitConfiguration\n"+
				"localAPIEndpoint: {advertiseAddress: 10.0.0.7}\n---\napiVersion: kubeadm.k8s.io/"+api+
				"\nkind: ClusterConfiguration\nkubernetesVersion: "+version(t, program)+"\n"), 0o600)
			images := m.mustRun(t, "config", "images", "list", "--config", "/kubeadm.yaml")
			if want := "registry.k8s.io/pause:" + kubeadmnames.PauseTag(minor) + "\n"; !strings.Contains(images+"\n", want) {
				t.Errorf("%s is not in\n%s", want, images)
			}
		})
	}
}

// TestGatesOfTheTable shows that the table has the gates which the programs list.
func TestGatesOfTheTable(t *testing.T) {
	gate := regexp.MustCompile(`(\w+)=true\|false`)
	for program, minor := range minors() {
		t.Run(program, func(t *testing.T) {
			var listed []string
			for _, found := range gate.FindAllStringSubmatch(newMachine(t, program, "").mustRun(t, "init", "--help"), -1) {
				listed = append(listed, found[1])
			}
			slices.Sort(listed)
			if d := cmp.Diff(texts(kubeadmnames.Gates(), minor, `^$`), listed); d != "" {
				t.Errorf("the program has other feature gates (-table +program):\n%s", d)
			}
		})
	}
}

// TestChecksOfTheTable runs the checks on a machine that has nothing, so that most of them fail.
func TestChecksOfTheTable(t *testing.T) {
	failed := regexp.MustCompile(`\[(?:ERROR|WARNING) ([^\]]+)\]`)
	for program, minor := range minors() {
		t.Run(program, func(t *testing.T) {
			m := newMachine(t, program, "")
			m.write(t, plugin.ConfigPath, []byte(`apiVersion: kubeadm.k8s.io/v1beta3
kind: InitConfiguration
nodeRegistration: {name: machine-1, criSocket: "unix:///run/containerd/containerd.sock"}
localAPIEndpoint: {advertiseAddress: 10.0.0.7}
---
apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
kubernetesVersion: `+version(t, program)+"\n"), 0o600)
			out, err := m.run(t, "init", "phase", "preflight", "--config", plugin.ConfigPath)
			if err == nil {
				t.Fatalf("the checks passed: %s", out)
			}
			var names, executables []string
			for _, found := range failed.FindAllStringSubmatch(out, -1) {
				names = append(names, found[1])
				if strings.HasPrefix(found[1], "FileExisting-") {
					executables = append(executables, found[1])
				}
			}
			if r := kubeadmnames.CheckPreflight("check", names, minor); len(r) > 0 || len(names) < 5 {
				t.Errorf("the program has checks which the table lacks: %v\n%s", r, out)
			}
			slices.Sort(executables)
			// Only Windows needs xcopy.
			want := slices.DeleteFunc(texts(kubeadmnames.Checks(), minor, `xcopy$`), func(check string) bool {
				return !strings.HasPrefix(check, "FileExisting-")
			})
			if d := cmp.Diff(want, executables); d != "" {
				t.Errorf("the program needs other executables (-table +program):\n%s\n%s", d, out)
			}
		})
	}
}
