// Package clusterctl_test reads a release with the real clusterctl, offline, and gives what it generates to a real API
// server.
package clusterctl_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// shared is the directory of the release that tests read and none changes, and of the servers.
var shared string

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	dir, err := os.MkdirTemp("", "machineadm-release-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "clusterctl:", err)
		os.Exit(1)
	}
	shared = dir
	code := m.Run()
	if err := managementEnvironment().stop(); err != nil {
		fmt.Fprintln(os.Stderr, "clusterctl:", err)
		code = 1
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const version = "v0.1.0"

// The beginnings of userdata in the formats of the templates, for the releases that their variables name.
const (
	ignition34 = `{"ignition":{"version":"3.4.0"}`
	ignition35 = `{"ignition":{"version":"3.5.0"}`
	cloudInit  = "#cloud-config\n"
	talos      = "version: v1alpha1\n"
)

// templates are the release's cluster templates, with the beginnings of the userdata of the control plane and of the
// workers.
func templates() map[string][2]string {
	return map[string][2]string{
		"flatcar":       {ignition34, ignition34},
		"fedora-coreos": {ignition35, ignition35},
		"ubuntu":        {cloudInit, cloudInit},
		"debian":        {cloudInit, cloudInit},
		"talos":         {talos, talos},
		"mixed":         {ignition34, cloudInit},
		"topology":      {},
	}
}

// variables are what a user sets for the templates.
func variables() []string {
	return []string{
		"INFRASTRUCTURE_API_GROUP=" + standin.Group, "INFRASTRUCTURE_API_VERSION=" + standin.Version,
		"INFRASTRUCTURE_CLUSTER_KIND=" + standin.ClusterKind, "INFRASTRUCTURE_MACHINE_KIND=" + standin.MachineKind,
		"KUBERNETES_SYSEXT_URL=https://mirror.example/kubernetes-{version}-{arch}.raw",
		"KUBERNETES_SYSEXT_SHA256=" + strings.Repeat("0", 64),
		"SSH_AUTHORIZED_KEY=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw me: at home",
		"FEDORA_COREOS_VERSION=42.20250705.3.0",
	}
}

// repository is a release in a clusterctl local repository.
type repository struct{ program, config, dir string }

func release(t *testing.T) repository {
	t.Helper()
	program, err := controlplane.Tool(t.Context(), "clusterctl")
	if err != nil {
		t.Fatal(err)
	}
	r := rendered(t)
	r.program = program
	return r
}

// rendered returns the shared release without the program that reads it.
func rendered(t *testing.T) repository {
	t.Helper()
	if r := repositoryAt(shared); r.complete() {
		return r
	}
	return renderedTo(t, shared, "")
}

func repositoryAt(out string) repository {
	return repository{
		config: filepath.Join(out, "clusterctl.yaml"),
		dir:    filepath.Join(out, "bootstrap-machineadm", version),
	}
}

// complete reports whether hack/release.sh has written its last file.
func (r repository) complete() bool {
	_, err := os.Stat(filepath.Join(r.dir, "aws-identity.yaml"))
	return err == nil
}

// renderedTo writes a release of the image to a directory; without an image it is the default.
func renderedTo(t *testing.T, out, image string) repository {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs.Root(), "hack", "release.sh"), version, out, image)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return repositoryAt(out)
}

// output runs clusterctl without the network, with the variables.
func (r repository) output(t *testing.T, variables []string, args ...string) (stdout []byte,
	messages string, err error,
) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), r.program, append(args, "--config", r.config)...)
	cmd.Env = append(os.Environ(), "CLUSTER_TOPOLOGY=true", "CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off",
		"HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, variables...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err = cmd.Output()
	return stdout, stderr.String(), err
}

func (r repository) run(t *testing.T, args ...string) []byte {
	t.Helper()
	out, stderr, err := r.output(t, variables(), args...)
	if err != nil {
		t.Fatalf("clusterctl %v: %v\n%s", args, err, stderr)
	}
	return out
}

// generate returns the arguments that generate a cluster of a flavor.
func (r repository) generate(flavor string) []string {
	return []string{
		"generate", "cluster", "demo", "--infrastructure", "machineadm-templates:" + version, "--flavor", flavor,
		"--target-namespace", "default", "--kubernetes-version", "v1.36.3", "--control-plane-machine-count", "3",
		"--worker-machine-count", "5",
	}
}

// listVariables returns the arguments that list the variables of a flavor.
func (r repository) listVariables(flavor string) []string {
	return append(r.generate(flavor)[:9:9], "--list-variables")
}

func decode(t *testing.T, manifests []byte) []*unstructured.Unstructured {
	t.Helper()
	objects, err := controlplane.Decode(bytes.NewReader(manifests))
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) == 0 {
		t.Fatal("nothing was generated")
	}
	return objects
}

// environment is an API server with the kinds that the templates use. It starts with the first test that needs it.
type environment struct {
	*controlplane.ControlPlane
	start sync.Once
	err   error
	// installed contains the providers of the release whose components were applied, as arguments of clusterctl.
	installed map[string]bool
}

var managementEnvironment = sync.OnceValue(func() *environment {
	return &environment{installed: map[string]bool{}}
})

// management returns the API server that tests share.
func management(t *testing.T) (context.Context, *controlplane.ControlPlane) {
	t.Helper()
	e := managementEnvironment()
	e.start.Do(func() { e.err = e.run(context.WithoutCancel(t.Context())) })
	if e.err != nil {
		t.Fatal(e.err)
	}
	return t.Context(), e.ControlPlane
}

// install applies the components of providers of the release that no test has applied, such as "--bootstrap
// machineadm". clusterctl sees their kinds, and those of the core.
func (e *environment) install(t *testing.T, r repository, providers ...string) {
	t.Helper()
	for _, provider := range providers {
		if e.installed[provider] {
			continue
		}
		args := append([]string{"generate", "provider"}, strings.Fields(provider+":"+version)...)
		if err := e.Apply(t.Context(), decode(t, r.run(t, args...))...); err != nil {
			t.Fatal(err)
		}
		e.installed[provider] = true
	}
	label(t.Context(), t, e.ControlPlane)
}

func (e *environment) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp(shared, "servers-")
	if err != nil {
		return err
	}
	if e.ControlPlane, err = controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true}); err != nil {
		return err
	}
	core := controlplane.Core114()
	module, err := controlplane.ModuleDir(ctx, core.Tools, "sigs.k8s.io/cluster-api")
	if err != nil {
		return err
	}
	if err := e.InstallCoreCRDs(ctx, core); err != nil {
		return err
	}
	if err := e.InstallCRDs(nil, filepath.Join(module, "controlplane", "kubeadm", "config", "crd", "bases")); err != nil {
		return err
	}
	objects, err := controlplane.Decode(bytes.NewReader(standin.Manifests))
	if err != nil {
		return err
	}
	return e.Apply(ctx, objects...)
}

// stop stops the API server if a test has started it.
func (e *environment) stop() error {
	if e.ControlPlane == nil {
		return nil
	}
	return e.Stop()
}

// TestOptionalComponents gives the components that clusterctl installs only on request to the API server.
func TestOptionalComponents(t *testing.T) {
	r := rendered(t)
	ctx, c := management(t)
	if err := c.EnsureNamespace(ctx, controlplane.ProviderNamespace); err != nil {
		t.Fatal(err)
	}
	optional := slices.DeleteFunc(components(t, r, "-endpoint"), func(o *unstructured.Unstructured) bool {
		return !slices.Contains([]string{"Deployment", "NetworkPolicy", "Service"}, o.GetKind())
	})
	accepts(ctx, t, c, append(optional, manifests(t, filepath.Join(r.dir, "aws-identity.yaml"))...))
}

// accepts gives the objects to the API server, which validates and does not keep them.
func accepts(ctx context.Context, t *testing.T, c *controlplane.ControlPlane, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range objects {
		err := c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("test"),
			client.DryRunAll, client.ForceOwnership)
		if err != nil {
			t.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
	}
}

// renders gives the manifests to machineadmctl, which writes the userdata of each machine that they describe: for the
// release that they name, and with the key that one logs in by.
func renders(t *testing.T, machineadmctl, cluster string, want [2]string, manifests []byte) {
	t.Helper()
	out := t.TempDir()
	cmd := exec.CommandContext(t.Context(), machineadmctl, "render", "-f", "-", "--all", out)
	cmd.Stdin = bytes.NewReader(manifests)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("render: %v\n%s", err, output)
	}
	for i, name := range []string{cluster + "-control-plane", cluster + "-workers"} {
		files, err := filepath.Glob(filepath.Join(out, name+".*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("render wrote %q: %v", files, err)
		}
		userdata, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(userdata, []byte(want[i])) {
			t.Errorf("%s begins %.60s, want %s", name, userdata, want[i])
		}
		key := []byte(" me: at home")
		if bytes.Contains(manifests, key) && !bytes.Contains(userdata, key) {
			t.Errorf("%s does not contain the SSH key", name)
		}
	}
}

// TestRequiredTemplateVariables has clusterctl ask for what no template may guess: who logs in, and which release is
// booted.
func TestRequiredTemplateVariables(t *testing.T) {
	r := release(t)
	for template, required := range map[string]string{
		"ubuntu": "SSH_AUTHORIZED_KEY", "mixed": "SSH_AUTHORIZED_KEY", "fedora-coreos": "FEDORA_COREOS_VERSION",
	} {
		_, stderr, err := r.output(t, slices.DeleteFunc(variables(), func(v string) bool {
			return strings.HasPrefix(v, required)
		}), r.generate(template)...)
		if err == nil || !strings.Contains(stderr, required) {
			t.Errorf("%s without %s: error %v\n%s", template, required, err, stderr)
		}
	}
}
