package clusterctl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

const page = "docs/install.md"

// fakes are the programs that the commands of the page run in place of those for registries and builds. A release
// exists already, so that make only prints its commands. The editor fills in the objects of AWS.
func fakes() map[string]string {
	return map[string]string{
		"make": `exec ` + "/usr/bin/make" + ` --dry-run -C "$ROOT" "$@"`,
		"skopeo": `case "$2 $3 $4 $5" in "--all --preserve-digests oci-archive:out/machineadm-controller.tar:v0.1.0 ` +
			`docker://"*) ;; *) exit 1 ;; esac`,
		"vi": `sed -i '/^kind: /h; /^    spec: {}$/{G; /AWSMachineTemplate$/s/{}/{instanceType: t3.large}/; P; d}' "$1"`,
	}
}

var (
	consolePattern  = regexp.MustCompile("(?s)```console\n(.*?)```")
	filePattern     = regexp.MustCompile("(?s)```(?:sh|yaml) ([a-z.]+)\n(.*?)```")
	variablePattern = regexp.MustCompile("(?m)^\\| `([A-Z_0-9]+)` \\|.*\\| ([^|]*) \\|$")
)

func installPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// installPageCommands returns the commands of the page up to the installation of the providers, and the rest.
func installPageCommands(t *testing.T) (install, rest string) {
	t.Helper()
	for _, m := range consolePattern.FindAllStringSubmatch(installPage(t), -1) {
		for line := range strings.Lines(m[1]) {
			command, is := strings.CutPrefix(line, "$ ")
			switch {
			case !is:
			case strings.Contains(install, "clusterctl init"):
				rest += command
			default:
				install += command
			}
		}
	}
	return install, rest
}

// workplace returns a directory in which the page's commands find a release, the page's files and the programs that
// they name. The configuration of clusterctl also refers to the core provider of the catalog.
func workplace(t *testing.T, catalog repository) (dir, bin string) {
	t.Helper()
	dir, bin = t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, path string) {
		t.Helper()
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(out, "clusterctl.yaml"), read(t, filepath.Join(shared, "clusterctl.yaml"))+
		"- name: cluster-api\n  type: CoreProvider\n  url: file://"+
		filepath.Join(filepath.Dir(catalog.config), "cluster-api", coreVersion, "core-components.yaml")+"\n")
	for _, m := range filePattern.FindAllStringSubmatch(installPage(t), -1) {
		write(filepath.Join(dir, m[1]), m[2])
	}
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		write(filepath.Join(dir, name), name)
	}
	for name, script := range fakes() {
		write(filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
	}
	for _, name := range []string{"clusterctl", "kubectl"} {
		link(debian.Tool(t, name), filepath.Join(bin, name))
	}
	if err := programs.Install(t.Context(), bin, "machineadmctl"); err != nil {
		t.Fatal(err)
	}
	return dir, bin
}

// followsInstallPage runs the commands of docs/install.md one after the other. After the one that installs the
// providers, all managers start, and the kinds of AWS are installed.
func (s *site) followsInstallPage() {
	s.t.Helper()
	t := s.t
	debian.Packages(t, "squashfs-tools", "make")
	dir, bin := workplace(t, s.repository)
	install, rest := installPageCommands(t)
	shell := func(script string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -euo pipefail\n"+script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "ROOT="+programs.Root(),
			"KUBECONFIG="+s.kubeconfig, "CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off", "MAKEFLAGS=")
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return string(output)
	}
	output := shell(install)
	// clusterctl has deleted the namespace in which it looked for cert-manager, and the next command creates it again.
	s.Eventually(func() bool {
		return apierrors.IsNotFound(s.Client.Get(t.Context(), client.ObjectKey{Name: "cert-manager-test"},
			&corev1.Namespace{}))
	}).Should(BeTrue())
	s.clusterctl("init", "--bootstrap", "kubeadm", "--control-plane", "kubeadm", "--infrastructure",
		"machineadm-hosts:"+version+",standin")
	s.start()
	s.installAWS()
	output += shell(rest)
	for _, want := range []string{
		"hack/release.sh v0.1.0 out registry.example/machineadm-controller:v0.1.0", "hack/image.sh v0.1.0 out",
		`Installing provider="bootstrap-machineadm" version="v0.1.0"`,
		`Installing provider="control-plane-machineadm" version="v0.1.0"`, "kubernetes-v1.36.3-x86-64.raw",
		"machineadmcontrolplane.controlplane.machineadm.io/demo-control-plane created",
		"machineadmcontrolplane.controlplane.machineadm.io/flat-control-plane created",
		"clusterclass.cluster.x-k8s.io/machineadm created", "cluster.cluster.x-k8s.io/prod created",
	} {
		if !strings.Contains(output, want) {
			t.Errorf("there is no output %q:\n%s", want, output)
		}
	}
	hasExtension(t, dir)
}

// installAWS installs the kinds of AWS that the page's clusters have.
func (s *site) installAWS() {
	s.t.Helper()
	all := providers()
	aws := all[slices.IndexFunc(all, func(p provider) bool { return p.template == "aws" })]
	aws.kinds = append(aws.kinds, "awsclustertemplates")
	labels := map[string]string{"cluster.x-k8s.io/v1beta1": "v1beta2"}
	s.Expect(s.InstallCRDs(labels, aws.definitions(s.t)...)).To(Succeed())
}

// hasExtension checks the extension that the page's script has built.
func hasExtension(t *testing.T, dir string) {
	t.Helper()
	listed := debian.Output(t, "unsquashfs", "-lls", filepath.Join(dir, "kubernetes-v1.36.3-x86-64.raw")) + "\n"
	for _, file := range []string{
		"usr/bin/kubelet", "usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf",
		"usr/lib/extension-release.d/extension-release.kubernetes",
	} {
		if !strings.Contains(listed, "squashfs-root/"+file+"\n") {
			t.Errorf("the extension has no %s:\n%s", file, listed)
		}
	}
}

// TestInstallPageHasEachVariable holds the page's tables to what clusterctl finds in the release: each variable, and
// its default.
func TestInstallPageHasEachVariable(t *testing.T) {
	r := release(t)
	documented := map[string]string{}
	for _, m := range variablePattern.FindAllStringSubmatch(installPage(t), -1) {
		documented[m[1]] = m[2]
	}
	found := map[string]bool{}
	for template := range templates() {
		out, output, err := r.output(t, nil, r.listVariables(template)...)
		if err != nil {
			t.Fatal(err, output)
		}
		listed, optional, _ := strings.Cut(string(out), "Optional Variables:")
		for name, value := range variablesOf(listed, "required") {
			found[name] = true
			if documented[name] != value {
				t.Errorf("%s: %s is required; the page has %q", template, name, documented[name])
			}
		}
		for name, value := range variablesOf(optional, "") {
			found[name] = true
			if documented[name] != value && documented[name] != "set by the command" {
				t.Errorf("%s: %s is %q by default; the page has %q", template, name, value, documented[name])
			}
		}
	}
	for _, provider := range []string{"--bootstrap", "--control-plane"} {
		described := r.run(t, "generate", "provider", provider, "machineadm:"+version, "--describe")
		for name := range variablesOf(string(described), "") {
			found[name] = true
			if documented[name] == "" {
				t.Errorf("%s machineadm: the page does not have %s", provider, name)
			}
		}
	}
	for name := range documented {
		if !found[name] {
			t.Errorf("the page has %s, and nothing asks for it", name)
		}
	}
}

// TestIdentityNamespaces sets the namespaces that may use the identity of a provider.
func TestIdentityNamespaces(t *testing.T) {
	r := release(t)
	settings := []string{"MACHINEADM_STORAGE_IDENTITY_NAMESPACES=a,b", "MACHINEADM_KMS_IDENTITY_NAMESPACES=*"}
	for flag, c := range map[string]struct {
		deployment string
		want       []string
	}{
		"--bootstrap": {
			"machineadm-controller-manager",
			[]string{"--storage-identity-namespaces=a,b", "--kms-identity-namespaces=*"},
		},
		"--control-plane": {
			"machineadm-control-plane-controller-manager", []string{"--storage-identity-namespaces=a,b"},
		},
	} {
		out, stderr, err := r.output(t, settings, "generate", "provider", flag, "machineadm:"+version)
		if err != nil {
			t.Fatal(err, stderr)
		}
		args := deployment(t, decode(t, out), c.deployment).Spec.Template.Spec.Containers[0].Args
		for _, want := range c.want {
			if !slices.Contains(args, want) {
				t.Errorf("%s: %s is not among %v", flag, want, args)
			}
		}
	}
}

var listPattern = regexp.MustCompile(`(?m)^  - ([A-Z_0-9]+) *(?:\(defaults to "?(.*?)"?\))?$`)

// variablesOf returns the names in a list of clusterctl's and their defaults; without one it is the given.
func variablesOf(list, without string) map[string]string {
	all := map[string]string{}
	for _, m := range listPattern.FindAllStringSubmatch(list, -1) {
		all[m[1]] = m[2]
		if m[2] == "" {
			all[m[1]] = without
		}
	}
	return all
}
