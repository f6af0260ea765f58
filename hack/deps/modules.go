package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// programs is the pattern of the shipped programs. Programs below cmd/internal are only for developers.
const programs = "./cmd/machineadm..."

// minCoverage is the percentage of a licence file that known licences have to cover; pkg.go.dev uses the same.
const minCoverage = 75

// unknown is the licence of a file that is not known, and of a module without such a file.
const unknown = "unknown"

var (
	// licenseFile also matches names such as MIT-LICENSE, LICENSE_GPL, COPYING3 and GPL-3.0.txt.
	licenseFile   = regexp.MustCompile(`(?i)(licen[cs]e|copying)s?([\W_\d].*)?$|^[al]?gpl[\W_\d].*$`)
	licenseFolder = regexp.MustCompile(`(?i)^licen[cs]es$`)
	// program is a file of code or data, which may have such a name, too; so may the settings of tools.
	program    = regexp.MustCompile(`(?i)^\.|\.(go|s|c|h|sh|py|js|json|ya?ml|toml|tmpl|proto|svg|png)$`)
	noticeFile = regexp.MustCompile(`(?i)^(notice|patents|authors\.txt)(\W.*)?$`)
)

// text is a licence or notice file of a module.
type text struct{ name, content string }

// module is a module that shipped programs link.
type module struct {
	path, version string
	// replaced reports whether a replace directive provides its source.
	replaced bool
	// licenses are the SPDX identifiers of its licence files, sorted; unknown means files that are not recognized, or
	// none.
	licenses []string
	texts    []text
}

// build is a platform, and whether C is compiled: files are chosen by both.
type build struct {
	os, arch string
	cgo      bool
}

// builds are those of the programs. hack/agents.sh and hack/image.sh make the ones without C; the plugin for PKCS #11
// needs C, and is built where it runs.
func builds() []build {
	return []build{
		{os: "windows", arch: "amd64"},
		{os: "linux", arch: "amd64"},
		{os: "linux", arch: "arm64"},
		{os: "linux", arch: runtime.GOARCH, cgo: true},
	}
}

// String returns the build as linux/amd64 or linux/amd64 with cgo.
func (b build) String() string {
	name := b.os + "/" + b.arch
	if b.cgo {
		name += " with cgo"
	}
	return name
}

// environment returns the variables that choose the build. GOFLAGS could choose another, and so could a workspace.
func (b build) environment() []string {
	cgo := "0"
	if b.cgo {
		cgo = "1"
	}
	return []string{"GOOS=" + b.os, "GOARCH=" + b.arch, "CGO_ENABLED=" + cgo, "GOFLAGS=", "GOWORK=off"}
}

// linkedPackage is a package as `go list -deps` describes it.
type linkedPackage struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path string }
	}
}

// linkedModules returns the modules of others that the programs link in any build, sorted by path. The standard library
// is one of them, and so is our own module if it has copied code with a licence.
func linkedModules(ctx context.Context) ([]module, error) {
	found := map[string]*module{}
	files := map[string]bool{}
	own := ""
	for _, b := range builds() {
		packages, err := listPackages(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Module == nil {
				continue
			}
			m := found[p.Module.Path]
			if m == nil {
				m = &module{path: p.Module.Path, version: p.Module.Version, replaced: p.Module.Replace != nil}
				found[p.Module.Path] = m
			}
			if p.Module.Main {
				own, files[p.Module.Dir] = p.Module.Path, true // The project's own licence is at its root.
			}
			if err := m.read(p.Module.Dir, p.Dir, files); err != nil {
				return nil, err
			}
		}
	}
	if m := found[own]; m != nil && len(m.texts) == 0 {
		delete(found, own)
	}
	std := &module{path: "std", version: runtime.Version()}
	if err := std.read(goRoot(ctx), goRoot(ctx), files); err != nil {
		return nil, err
	}
	found["std"] = std
	return sorted(found), nil
}

func sorted(found map[string]*module) []module {
	var all []module
	for _, m := range found {
		if len(m.licenses) == 0 {
			m.licenses = []string{unknown}
		}
		slices.Sort(m.licenses)
		slices.SortFunc(m.texts, func(a, b text) int { return cmp.Compare(a.name, b.name) })
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return all
}

func goRoot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func listPackages(ctx context.Context, b build) ([]linkedPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,Module", programs)
	cmd.Env = append(os.Environ(), b.environment()...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w\n%s", b, err, &stderr)
	}
	var all []linkedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p linkedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the packages of %s: %w", b, err)
		}
		all = append(all, p)
	}
}

// read adds the licences of a directory and of all above it in the module: copied code often has its own. Files that
// were read before are left out.
func (m *module) read(root, dir string, files map[string]bool) error {
	for ; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
		if files[dir] {
			return nil
		}
		files[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("read the licences of %s: %w", m.path, err)
		}
		for _, e := range entries {
			if err := m.add(root, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a file if it is a licence or a notice, and the files of a directory such as LICENSES.
func (m *module) add(root, path string) error {
	base, parent := filepath.Base(path), filepath.Base(filepath.Dir(path))
	license := !program.MatchString(base) && (licenseFile.MatchString(base) || licenseFolder.MatchString(parent))
	info, err := os.Stat(path)
	if err == nil && info.IsDir() && licenseFolder.MatchString(base) {
		return m.addAll(root, path)
	}
	if err != nil || !info.Mode().IsRegular() || !license && !noticeFile.MatchString(base) {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read a licence of %s: %w", m.path, err)
	}
	name := strings.TrimPrefix(strings.TrimPrefix(path, root), "/")
	m.texts = append(m.texts, text{name: name, content: string(content)})
	if license {
		m.licenses = append(m.licenses, identify(content)...)
		slices.Sort(m.licenses)
		m.licenses = slices.Compact(m.licenses)
	}
	return nil
}

func (m *module) addAll(root, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read the licences of %s: %w", m.path, err)
	}
	for _, e := range entries {
		if err := m.add(root, filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// identify returns the SPDX identifiers of the licences in a file.
func identify(content []byte) []string {
	coverage := licensecheck.Scan(content)
	if coverage.Percent < minCoverage {
		return []string{unknown}
	}
	var ids []string
	for _, match := range coverage.Match {
		ids = append(ids, match.ID)
	}
	return ids
}
