package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The documents are of SPDX 2.3. https://spdx.github.io/spdx-spec/v2.3 describes the fields.
type spdxDocument struct {
	Version       string             `json:"spdxVersion"`
	License       string             `json:"dataLicense"`
	ID            string             `json:"SPDXID"`
	Name          string             `json:"name"`
	Namespace     string             `json:"documentNamespace"`
	Creation      spdxCreation       `json:"creationInfo"`
	Packages      []spdxPackage      `json:"packages"`
	Relationships []spdxRelationship `json:"relationships"`
}

type spdxCreation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	Name             string          `json:"name"`
	ID               string          `json:"SPDXID"`
	Version          string          `json:"versionInfo"`
	Download         string          `json:"downloadLocation"`
	FilesAnalyzed    bool            `json:"filesAnalyzed"`
	LicenseConcluded string          `json:"licenseConcluded"`
	LicenseDeclared  string          `json:"licenseDeclared"`
	Copyright        string          `json:"copyrightText"`
	Purpose          string          `json:"primaryPackagePurpose"`
	SourceInfo       string          `json:"sourceInfo,omitempty"`
	Checksums        []spdxChecksum  `json:"checksums,omitempty"`
	References       []spdxReference `json:"externalRefs,omitempty"`
}

type spdxChecksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type spdxReference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxRelationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

const (
	documentID  = "SPDXRef-DOCUMENT"
	programID   = "SPDXRef-program"
	noAssertion = "NOASSERTION"
)

// writeSBOMs writes an SBOM for each program to a folder. Its modules are those that the program contains by its own
// build information.
func writeSBOMs(ctx context.Context, epoch, version, folder string, programs []string) error {
	seconds, err := strconv.ParseInt(cmp.Or(epoch, "0"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds since 1970", epoch)
	}
	creation := spdxCreation{
		Created: time.Unix(seconds, 0).UTC().Format(time.RFC3339), Creators: []string{"Tool: machineadm-hack-deps"},
	}
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // Everyone may read a release.
		return err
	}
	licenses := map[string]string{}
	for _, path := range programs {
		document, err := sbom(ctx, path, version, licenses)
		if err != nil {
			return fmt.Errorf("SBOM of %s: %w", path, err)
		}
		document.Creation = creation
		text, err := json.MarshalIndent(document, "", "  ")
		if err != nil {
			return err
		}
		//nolint:gosec // Everyone may read a release.
		if err := os.WriteFile(filepath.Join(folder, document.Name+".spdx.json"), append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sbom returns the document of a program without its creation. licenses caches the licences of modules.
func sbom(ctx context.Context, file, version string, licenses map[string]string) (*spdxDocument, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	modules := linkedIn(info)
	if err := addLicenses(ctx, modules, licenses); err != nil {
		return nil, err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(content))
	name := strings.Join([]string{path.Base(info.Path), setting(info, "GOOS"), setting(info, "GOARCH")}, "-")
	document := &spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: documentID, Name: name,
		Namespace: "https://" + info.Main.Path + "/spdx/" + name + "-" + digest,
		Packages: []spdxPackage{{
			Name: path.Base(info.Path), ID: programID, Version: version, Download: noAssertion, Copyright: noAssertion,
			LicenseConcluded: noAssertion, LicenseDeclared: licenses[info.Main.Path+"@"], Purpose: "APPLICATION",
			Checksums:  []spdxChecksum{{Algorithm: "SHA256", Value: digest}},
			SourceInfo: cryptography(info),
		}},
		Relationships: []spdxRelationship{{Element: documentID, Type: "DESCRIBES", Related: programID}},
	}
	for i, m := range modules {
		p := modulePackage(m, i, licenses)
		document.Packages = append(document.Packages, p)
		document.Relationships = append(document.Relationships,
			spdxRelationship{Element: programID, Type: "CONTAINS", Related: p.ID})
	}
	return document, nil
}

// cryptography returns the cryptographic module of a program of a FIPS release, or nothing.
func cryptography(info *debug.BuildInfo) string {
	if module := setting(info, "GOFIPS140"); module != "" {
		return "GOFIPS140: " + module
	}
	return ""
}

// modulePackage returns the package of the module with the given index.
func modulePackage(m *debug.Module, index int, licenses map[string]string) spdxPackage {
	p := spdxPackage{
		Name: m.Path, ID: fmt.Sprintf("SPDXRef-module-%d", index+1), Version: m.Version, Purpose: "LIBRARY",
		Download: noAssertion, LicenseConcluded: noAssertion, LicenseDeclared: licenses[m.Path+"@"+m.Version],
		Copyright: noAssertion,
		References: []spdxReference{{
			Category: "PACKAGE-MANAGER", Type: "purl", Locator: "pkg:golang/" + strings.ToLower(m.Path) + "@" + m.Version,
		}},
	}
	if m.Sum != "" {
		p.SourceInfo = "go.sum: " + m.Sum
	}
	return p
}

// linkedIn returns the modules in a program besides the project's, the standard library first.
func linkedIn(info *debug.BuildInfo) []*debug.Module {
	version, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	modules := []*debug.Module{{Path: standardLibrary, Version: version}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		modules = append(modules, m)
	}
	return modules
}

func setting(info *debug.BuildInfo, key string) string {
	i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if i < 0 {
		return ""
	}
	return info.Settings[i].Value
}

// addLicenses adds the licences at the roots of modules, by path@version, and that of the project by its path@.
func addLicenses(ctx context.Context, modules []*debug.Module, licenses map[string]string) error {
	args := []string{"list", "-m", "-f", "{{.Path}}@{{.Version}} {{.Dir}}", own}
	for _, m := range modules {
		if key := m.Path + "@" + m.Version; licenses[key] != "" {
			continue
		} else if m.Path == standardLibrary {
			if err := addLicense(key, goRoot(ctx), licenses); err != nil {
				return err
			}
		} else {
			args = append(args, m.Path)
		}
	}
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		return fmt.Errorf("list modules: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		key, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		if err := addLicense(key, dir, licenses); err != nil {
			return err
		}
	}
	for _, m := range modules {
		if licenses[m.Path+"@"+m.Version] == "" {
			return fmt.Errorf("%s@%s is not the version in go.mod; build the program again", m.Path, m.Version)
		}
	}
	return nil
}

// addLicense adds the licences in the directory of a module.
func addLicense(key, dir string, licenses map[string]string) error {
	if dir == "" {
		return errors.New(key + " is not downloaded")
	}
	m := &module{path: key}
	if err := m.read(dir, dir, map[string]bool{}); err != nil {
		return err
	}
	licenses[key] = strings.Join(m.licenses, " AND ")
	if len(m.licenses) == 0 || slices.Contains(m.licenses, unknown) {
		licenses[key] = noAssertion
	}
	return nil
}
