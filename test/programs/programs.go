// Package programs builds this module's programs for tests. Test processes share one directory of programs, so that
// each program is linked once after a change. Each process, or each run of make test, builds a program once, since the
// go command takes a second of CPU to find that a program is up to date.
package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Install builds a program and copies it to a directory, which is created if it does not exist.
func Install(ctx context.Context, dir, name string) error {
	path, err := Build(ctx, name)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), content, 0o755)
}

// static reports whether a program runs in the roots of other systems, and so must not need this system's C library.
// The others are built as their tests are, so that both share the build cache.
func static(name string) bool {
	return name == "machineadm" || name == "machineadm-remote-configuration-provider-s3"
}

// Root returns the root directory of the source tree, which is the nearest directory above the working directory that
// contains this module's go.tool.mod. Tests and programs of the tree run below it; elsewhere it returns ".".
func Root() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.tool.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// Variable returns the name of the environment variable with the path of another build of a program, such as
// MACHINEADM_CONTROLLER.
func Variable(name string) string {
	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// builds contains the programs that this process has built: functions that return path and error, by name.
var builds sync.Map

// Build builds a program of cmd and returns its path. The environment variable that Variable names
// overrides it. The caller must not change the file.
func Build(ctx context.Context, name string) (string, error) {
	if path := os.Getenv(Variable(name)); path != "" {
		return path, nil
	}
	once, _ := builds.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		// The other callers need the program, too, if the test of the first one ends.
		return build(context.WithoutCancel(ctx), name)
	}))
	return once.(func() (string, error))()
}

// runVariable names the environment variable that identifies a run of make test. The source does not change during a
// run, so that the first process which needs a program builds it for the others.
const runVariable = "MACHINEADM_TEST_RUN"

// build runs the go command, which does not write a program that is up to date.
func build(ctx context.Context, name string) (string, error) {
	path, err := oncePerRun(name, func(path string) error { return goBuild(ctx, path) })
	if err != nil {
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	return path, nil
}

// oncePerRun has the function write the file with the name in the shared directory, unless it did so in this run of
// make test, and returns the path of the file.
func oncePerRun(name string, write func(path string) error) (string, error) {
	dir := filepath.Join(Root(), "bin", "programs")
	unlock, err := lock(dir)
	if err != nil {
		return "", err
	}
	defer unlock()
	path, run := filepath.Join(dir, name), os.Getenv(runVariable)
	stamp := filepath.Join(dir, "."+name+".run")
	if written, err := os.ReadFile(stamp); run != "" && err == nil && string(written) == run {
		return path, nil
	}
	if err := write(path); err != nil {
		return "", err
	}
	return path, os.WriteFile(stamp, []byte(run), 0o644)
}

// Manifests returns the manifests that kustomize builds of a folder of the source tree, such as config/default. They
// are built once in each run of make test: the go command and kustomize take a second of CPU.
func Manifests(ctx context.Context, folder string) ([]byte, error) {
	path, err := oncePerRun(strings.ReplaceAll(folder, "/", "-")+".yaml", func(path string) error {
		manifests, err := Kustomize(ctx, folder)
		if err != nil {
			return err
		}
		return os.WriteFile(path, manifests, 0o644)
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Kustomize returns the manifests that kustomize builds of a directory. A relative one is in the source tree.
func Kustomize(ctx context.Context, dir string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "-modfile=go.tool.mod", "kustomize", "build", dir)
	cmd.Dir, cmd.Stderr = Root(), os.Stderr
	manifests, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("build the manifests of %s: %w", dir, err)
	}
	return manifests, nil
}

func goBuild(ctx context.Context, path string) error {
	name := filepath.Base(path)
	var settings []string
	if static(name) {
		settings = append(settings, "CGO_ENABLED=0")
	}
	return goBuildIn(ctx, Root(), path, "./cmd/"+name, settings...)
}

// goBuildIn runs the go command in a directory, with environment variables in addition to those of the process.
func goBuildIn(ctx context.Context, dir, path, target string, settings ...string) error {
	// Debug information would take half of the linker's time.
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s", "-o", path, target)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), settings...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", filepath.Base(path), err, out)
	}
	return nil
}

// BuildModule builds the program of another module, which is a folder of the source tree such as test/foreign, and
// returns its path. The environment variables are settings of the build. The caller must not change the file.
func BuildModule(ctx context.Context, folder string, settings ...string) (string, error) {
	name := strings.ReplaceAll(folder, "/", "-")
	path, err := oncePerRun(name, func(path string) error {
		return goBuildIn(ctx, filepath.Join(Root(), folder), path, ".", settings...)
	})
	if err != nil {
		return "", fmt.Errorf("build %s: %w", folder, err)
	}
	return path, nil
}

// LinkCache returns the flag of the go command which has it repeat what the linker wrote for the same input.
func LinkCache() string { return "-toolexec=" + filepath.Join(Root(), "hack", "link-cache.sh") }

// LinkCacheOf returns variables of the environment with which a script or program does the same in each go command that
// it starts. The variant is a name for its flags, if other tests link the same packages with different ones.
func LinkCacheOf(variant string) []string {
	return []string{
		"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+LinkCache()), "MACHINEADM_LINK_VARIANT=" + variant,
	}
}

// lock waits for other processes that build, and returns the function that lets them go on.
func lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := flock(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}

// scripts contains the calls of Script that have not failed: functions that return output and error, by name and
// arguments.
var scripts sync.Map

// Script runs one of the scripts in hack/ and returns its output. Its messages go to standard error. The scripts
// provide what is missing, so that each process runs a script with the same arguments once, unless it fails.
func Script(ctx context.Context, name string, args ...string) (string, error) {
	call := strings.Join(append([]string{name}, args...), " ")
	once, _ := scripts.LoadOrStore(call, sync.OnceValues(func() (string, error) {
		return script(context.WithoutCancel(ctx), name, args...)
	}))
	out, err := once.(func() (string, error))()
	if err != nil {
		scripts.Delete(call)
	}
	return out, err
}

func script(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(Root(), "hack", name), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("hack/%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
