package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// packaged is a program with Debian and RPM packages.
type packaged struct {
	name, description string
	agent             bool
}

func packages() []packaged {
	return []packaged{
		{name: "machineadm", description: "agent that applies machine configuration to a machine", agent: true},
		{name: "machineadmctl", description: "command line tool that validates and renders MachineBootstrapConfigs"},
	}
}

// nfpmConfig is the configuration of a package for nfpm.
type nfpmConfig struct {
	Name        string        `json:"name"`
	Arch        string        `json:"arch"`
	Version     string        `json:"version"`
	Section     string        `json:"section"`
	Maintainer  string        `json:"maintainer"`
	Description string        `json:"description"`
	Homepage    string        `json:"homepage"`
	License     string        `json:"license"`
	MTime       string        `json:"mtime"`
	Contents    []nfpmContent `json:"contents"`
	RPM         nfpmRPM       `json:"rpm"`
	// Conflicts are the packages with the same files.
	Conflicts []string `json:"conflicts"`
}

type nfpmContent struct {
	Source      string   `json:"src"`
	Destination string   `json:"dst"`
	Info        nfpmInfo `json:"file_info"`
}

type nfpmInfo struct {
	Mode  int    `json:"mode"`
	MTime string `json:"mtime"`
}

type nfpmRPM struct {
	Summary     string `json:"summary"`
	BuildHost   string `json:"buildhost"`
	Compression string `json:"compression"`
}

// rpmCompression takes a tenth of the time of the default, gzip:9, for packages that are 1 % larger. nfpm cannot set
// the level for packages of Debian.
const rpmCompression = "gzip:6"

// writePackages writes a Debian and an RPM package of each program for Linux.
func (r release) writePackages(ctx context.Context) error {
	if len(r.linux()) == 0 {
		return nil
	}
	nfpm, err := r.command(ctx, nil, "hack/tool.sh", "nfpm")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)                                       //nolint:errcheck // It is a temporary folder.
	if err := os.MkdirAll(r.path("packages"), 0o755); err != nil { //nolint:gosec // Everyone may read a release.
		return err
	}
	program, config := strings.TrimSpace(string(nfpm)), filepath.Join(work, "nfpm.yaml")
	for _, p := range packages() {
		for _, arch := range r.linux() {
			if err := r.writePackage(ctx, program, config, p, arch); err != nil {
				return err
			}
		}
	}
	return nil
}

// writePackage writes the packages of one program and architecture. config is the path of a temporary file.
func (r release) writePackage(ctx context.Context, nfpm, config string, p packaged, arch string) error {
	text, err := encode(r.nfpmConfig(p, arch))
	if err != nil {
		return err
	}
	if err := os.WriteFile(config, text[0], 0o600); err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		if _, err := r.command(ctx, nil, nfpm, "package", "--config", config, "--packager", format,
			"--target", r.path("packages")+"/"); err != nil {
			return err
		}
	}
	return nil
}

func (r release) nfpmConfig(p packaged, arch string) nfpmConfig {
	created := r.created.Format(time.RFC3339)
	content := func(source, destination string, mode int) nfpmContent {
		return nfpmContent{Source: source, Destination: destination, Info: nfpmInfo{Mode: mode, MTime: created}}
	}
	documents := "/usr/share/doc/" + r.variant(p.name) + "/"
	source := r.path("bin", program(r.variant(p.name), "linux", arch))
	if p.agent {
		source = r.path(r.variant("agents"), program(p.name, "linux", arch))
	}
	return nfpmConfig{
		Name: r.variant(p.name), Arch: arch, Version: strings.TrimPrefix(r.version, "v"), Section: "admin",
		Maintainer: "The machineadm authors <noreply@machineadm.io>", Description: p.description, License: "Apache-2.0",
		Homepage: "https://github.com/machineadm/machineadm", MTime: created,
		Contents: []nfpmContent{
			content(source, "/usr/bin/"+p.name, 0o755),
			content("LICENSE", documents+"copyright", 0o644),
			content(r.path(r.variant("agents"), "THIRD-PARTY-LICENSES.txt"), documents+"THIRD-PARTY-LICENSES.txt", 0o644),
		},
		RPM:       nfpmRPM{Summary: p.description, BuildHost: "localhost", Compression: rpmCompression},
		Conflicts: r.conflicts(p),
	}
}

// conflicts returns the name of the usual package for one of a FIPS release.
func (r release) conflicts(p packaged) []string {
	if r.fips {
		return []string{p.name}
	}
	return nil
}
