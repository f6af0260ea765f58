package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// floating are versions of tools that change by themselves, in commands of scripts.
	floating = regexp.MustCompile(`@(latest|upgrade|patch|main|master|HEAD)\b`)
	// exact is a version of npm's that names one release.
	exact = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
)

// checkTree returns a sentence for each replace directive that is not allowed, and for each tool without an exact
// version.
func checkTree(ctx context.Context, root string) (all []string, err error) {
	for _, check := range []func(context.Context, string) ([]string, error){checkReplaces, checkScripts, checkNPM} {
		found, err := check(ctx, root)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkReplaces reads the go.mod files. Those below tools/ may give modules another version, as Kubernetes' own go.mod
// does with its staging modules; none may use another module or a directory in place of one.
func checkReplaces(ctx context.Context, root string) (all []string, err error) {
	paths, _ := filepath.Glob(filepath.Join(root, "tools", "*", "go.mod"))
	for _, path := range append([]string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.tool.mod")}, paths...) {
		out, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", path).Output()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		var file struct {
			Replace []struct {
				Old, New struct{ Path, Version string }
			}
		}
		if err := json.Unmarshal(out, &file); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, r := range file.Replace {
			if strings.Contains(path, "tools/") && r.Old.Path == r.New.Path && r.New.Version != "" {
				continue
			}
			all = append(all, fmt.Sprintf("%s: replace %s: not allowed; require a released version", path, r.Old.Path))
		}
	}
	return all, nil
}

// checkScripts reads what builds and tests run.
func checkScripts(_ context.Context, root string) (all []string, err error) {
	for _, pattern := range []string{"Makefile", "hack/*.sh", ".ci/*", ".githooks/*"} {
		paths, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, path := range paths {
			script, err := os.ReadFile(path)
			if err != nil {
				return nil, fmt.Errorf("read a script: %w", err)
			}
			for _, version := range floating.FindAllString(string(script), -1) {
				all = append(all, fmt.Sprintf("%s: %s is not an exact version; "+
					"pin the tool in go.tool.mod or tools/", path, version))
			}
		}
	}
	return all, nil
}

// checkNPM reads the package.json files below tools/.
func checkNPM(_ context.Context, root string) (all []string, err error) {
	paths, _ := filepath.Glob(filepath.Join(root, "tools", "*", "package.json"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read a package: %w", err)
		}
		var file struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, versions := range []map[string]string{file.Dependencies, file.DevDependencies} {
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
