package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	// floating are versions of tools that change by themselves, in commands of scripts.
	floating = regexp.MustCompile(`@(latest|upgrade|patch|main|master|HEAD|v\d+(\.\d+)?|[<>]=?v[\d.]+)(?:[\s"';|&)]|$)`)
	// exact is a version of npm's that names one release.
	exact = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	// known are the go.mod files of the tree: those that this program checks, and those of programs of tests, which are
	// not shipped.
	known = regexp.MustCompile(`^(go\.mod|test/(foreign|inmemory)/go\.mod|tools/[^/]+/go\.mod)$`)
)

// own is the path of this module. test/foreign uses the tree in its place.
const own = "github.com/machineadm/machineadm"

// checkTree returns a sentence for each replace directive that is not allowed, for each file that puts other code in
// the place of required modules, and for each tool without an exact version.
func checkTree(ctx context.Context, root string) (all []string, err error) {
	for _, check := range []func(context.Context, string) ([]string, error){
		checkReplaces, checkModules, checkPrograms, checkScripts, checkNPM,
	} {
		found, err := check(ctx, root)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// walkTree calls visit for each file and directory of the tree that builds can use, with its path below the root.
func walkTree(root string, visit func(path string, d fs.DirEntry)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "testdata", "node_modules", "bin", "out"}, d.Name()) {
			return fs.SkipDir
		}
		if path, err = filepath.Rel(root, path); err != nil {
			return err
		}
		visit(filepath.ToSlash(path), d)
		return nil
	})
}

// checkModules returns a sentence for each workspace, vendor directory and unknown module. `go list ./...` of the root
// module does not see the programs of another module, and the go command prefers the first two to go.mod and go.sum.
func checkModules(_ context.Context, root string) (all []string, err error) {
	err = walkTree(root, func(path string, d fs.DirEntry) {
		switch {
		case d.Name() == "go.work":
			all = append(all, path+": workspaces are not allowed; they change what is built without go.mod")
		case d.IsDir() && d.Name() == "vendor":
			all = append(all, path+": vendored modules are not allowed; go.sum does not check them")
		case d.Name() == "go.mod" && !known.MatchString(path):
			all = append(all, path+": the requirements of this module are not checked; move its packages to the root module")
		}
	})
	return all, err
}

// checkPrograms returns a sentence for each directory of a shipped program that the pattern programs does not match.
func checkPrograms(_ context.Context, root string) (all []string, err error) {
	prefix := strings.TrimSuffix(filepath.Base(programs), "...")
	paths, err := filepath.Glob(filepath.Join(root, "cmd", "*", "*.go"))
	for _, path := range paths {
		if name := filepath.Base(filepath.Dir(path)); !strings.HasPrefix(name, prefix) {
			all = append(all, "cmd/"+name+": the modules of this program are not checked; give it a name with "+prefix)
		}
	}
	return slices.Compact(all), err
}

// checkReplaces reads the go.mod files. Those below tools/ may give modules another version, as Kubernetes' own go.mod
// does with its staging modules, and test/foreign may use this tree. None may use another module or a directory in
// place of one.
func checkReplaces(ctx context.Context, root string) (all []string, err error) {
	paths, _ := filepath.Glob(filepath.Join(root, "tools", "*", "go.mod"))
	foreign, _ := filepath.Glob(filepath.Join(root, "test", "foreign", "go.mod"))
	inmemory, _ := filepath.Glob(filepath.Join(root, "test", "inmemory", "go.mod"))
	paths = slices.Concat(paths, foreign, inmemory)
	for _, path := range append([]string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.tool.mod")}, paths...) {
		out, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", path).Output()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		var file struct{ Replace []replacement }
		if err := json.Unmarshal(out, &file); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, r := range file.Replace {
			version := strings.Contains(path, "tools/") && r.Old.Path == r.New.Path && r.New.Version != ""
			tree := slices.Contains(foreign, path) && r.Old.Path == own && r.New.Path == "../.."
			if !version && !tree {
				all = append(all, fmt.Sprintf("%s: replace %s: not allowed; require a released version", path, r.Old.Path))
			}
		}
	}
	return all, nil
}

// replacement is a replace directive.
type replacement struct {
	Old, New struct{ Path, Version string }
}

// checkScripts reads what builds and tests run.
func checkScripts(_ context.Context, root string) (all []string, err error) {
	var paths []string
	err = walkTree(root, func(path string, d fs.DirEntry) {
		script := d.Name() == "Makefile" || strings.HasSuffix(path, ".sh")
		if !d.IsDir() && (script || slices.Contains([]string{".ci", ".githooks"}, filepath.Dir(path))) {
			paths = append(paths, filepath.Join(root, path))
		}
	})
	for _, path := range paths {
		script, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read a script: %w", err)
		}
		for _, match := range floating.FindAllStringSubmatch(string(script), -1) {
			all = append(all, fmt.Sprintf("%s: @%s is not an exact version; "+
				"pin the tool in go.tool.mod or tools/", path, match[1]))
		}
	}
	return all, err
}

// checkNPM reads the package.json files below tools/.
func checkNPM(_ context.Context, root string) (all []string, err error) {
	paths, _ := filepath.Glob(filepath.Join(root, "tools", "*", "package.json"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read a package: %w", err)
		}
		var file struct{ Dependencies, DevDependencies, OptionalDependencies map[string]string }
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, versions := range []map[string]string{file.Dependencies, file.DevDependencies, file.OptionalDependencies} {
			for name, version := range versions {
				if !exact.MatchString(version) {
					all = append(all, fmt.Sprintf("%s: %s %q is not an exact version", path, name, version))
				}
			}
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "package-lock.json")); err != nil {
			all = append(all, fmt.Sprintf("%s: there is no package-lock.json", path))
		}
	}
	return all, nil
}
