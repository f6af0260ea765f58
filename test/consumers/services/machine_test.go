// Package services_test holds what the plugins write against the programs that read it: containerd 1.x and 2.x, skopeo
// for CRI-O's image files, chronyd, systemd, sysctl, modprobe, apt and the trust store. Programs that are missing are
// installed.
package services_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// run runs a program that must succeed, and returns what it wrote.
func run(t *testing.T, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	return finish(t, exec.Command(name, args...))
}

func finish(t *testing.T, c *exec.Cmd) (stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", c, err, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

func target(t *testing.T, distribution string) osprofile.Target {
	t.Helper()
	profile, ok := osprofile.Lookup(distribution)
	if !ok {
		t.Fatalf("no profile %s", distribution)
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// machine is a directory that holds the files and units of an expansion as a machine's root would.
type machine struct{ root string }

func (m machine) path(name string) string { return filepath.Join(m.root, name) }

func (m machine) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// expanded expands the value and lays out what comes of it. Files below the given directories are
// called by their names in the machine's root, so that a program that does not run in there finds them.
func expanded(t *testing.T, x ports.Expander, target osprofile.Target, v document.Value, below ...string) machine {
	t.Helper()
	m := machine{root: t.TempDir()}
	e := ports.Expansion{Document: document.Document{Value: v, Source: document.Source{Path: "doc"}}, Target: target}
	actions, r, err := x.Expand(context.Background(), e)
	if err != nil || r.HasErrors() {
		t.Fatalf("Expand: %v\n%s", err, r)
	}
	for _, a := range actions {
		if file, ok := a.Do.(action.WriteFile); ok {
			content, _ := file.Content.Static()
			m.write(t, file.Path, m.own(string(content), below))
		}
		if unit, ok := a.Do.(action.EnsureUnit); ok {
			m.unit(t, unit)
		}
	}
	return m
}

func (m machine) own(content string, below []string) string {
	for _, directory := range below {
		content = strings.ReplaceAll(content, directory, m.path(directory))
	}
	return content
}

func (m machine) unit(t *testing.T, u action.EnsureUnit) {
	t.Helper()
	text := func(c document.Content) string {
		return string(c.Resolve(func(document.Fact) string { return "fact" }))
	}
	if !u.Content.IsZero() {
		m.write(t, "units/"+u.Name, text(u.Content))
	}
	for _, d := range u.DropIns {
		m.write(t, "units/"+u.Name+".d/"+d.Name, text(d.Content))
	}
}
