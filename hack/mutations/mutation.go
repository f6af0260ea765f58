package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// mutation replaces a text of a product file so that the product lacks what the rows promise.
type mutation struct {
	// rows are the first cells of rows of docs/requirements.md.
	rows []string
	// file contains the text before exactly once.
	file, before, after string
	// pkg is the folder of the test, which is named in each of the rows.
	pkg, test string
	// quick is a mutation that `make test` runs.
	quick bool
}

// String names the mutation by its rows and its test.
func (m mutation) String() string { return strings.Join(m.rows, ", ") + " " + m.test }

// proves reports whether the mutation is for the row.
func (m mutation) proves(row string) bool { return slices.Contains(m.rows, row) }

// apply returns the file's text with the mutation.
func (m mutation) apply(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(text), m.before); n != 1 {
		return nil, fmt.Errorf("%s contains the text %q %d times, want 1", m.file, m.before, n)
	}
	return []byte(strings.Replace(string(text), m.before, m.after, 1)), nil
}

// run runs the test with the mutation and reports whether it failed. Code that does not compile is an error.
func (m mutation) run(ctx context.Context, root string) (failed bool, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	overlay, err := m.overlay(root, dir)
	if err != nil {
		return false, err
	}
	if out, err := goCommand(ctx, root, overlay, "build", "-o", os.DevNull, "./"+filepath.Dir(m.file)); err != nil {
		return false, fmt.Errorf("build %s: %w\n%s", m.file, err, out)
	}
	top, _, _ := strings.Cut(m.test, "/")
	out, err := goCommand(ctx, root, overlay, "test", "-vet=off", "-count=1", "-timeout=30m", "-run", anchored(m.test),
		"./"+m.pkg)
	switch {
	case err == nil && strings.Contains(out, "no tests to run"):
		return false, fmt.Errorf("%s has no test %s", m.pkg, m.test)
	case err == nil:
		return false, nil
	case !strings.Contains(out, "--- FAIL: "+top+" "):
		return false, fmt.Errorf("the test did not run: %w\n%s", err, out)
	}
	return true, nil
}

// overlay writes the changed file and the go command's description of it, and returns the path of the latter.
func (m mutation) overlay(root, dir string) (string, error) {
	text, err := m.apply(root)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	description, err := json.Marshal(map[string]any{
		"Replace": map[string]string{filepath.Join(root, m.file): changed},
	})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, description, 0o600))
}

// anchored returns the pattern that matches only the test.
func anchored(test string) string {
	return "^" + strings.ReplaceAll(test, "/", "$/^") + "$"
}

// goCommand runs the go command with the overlay, also for the go commands that tests start.
func goCommand(ctx context.Context, root, overlay string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	out, err := cmd.CombinedOutput()
	return string(out), err
}
