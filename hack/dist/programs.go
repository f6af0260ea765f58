package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// fipsModule is the version of the Go Cryptographic Module in FIPS releases. Go's list of certified modules contains it
// (GOROOT/lib/fips140/certified.txt).
const fipsModule = "v1.0.0"

// controller is the name of the controller's image.
const controller = "machineadm-controller"

// module returns the variable that selects the cryptographic module of programs.
func (r release) module() string {
	if r.fips {
		return "GOFIPS140=" + fipsModule
	}
	return "GOFIPS140=off"
}

// variant returns the name of a part of the release. Names in a FIPS release end with -fips, except those of the
// agents, by which the controller finds their checksums.
func (r release) variant(name string) string {
	if r.fips {
		return name + "-fips"
	}
	return name
}

// writeImage writes the controller's image for the platforms with Linux.
func (r release) writeImage(ctx context.Context) error {
	if r.skipImage || len(r.linux()) == 0 {
		return nil
	}
	variables := []string{r.module()}
	// By default, the image also contains agents for other systems.
	if strings.Join(r.platforms, " ") != everywhere {
		variables = append(variables, "PLATFORMS=linux/"+strings.Join(r.linux(), " linux/"))
	}
	if _, err := r.command(ctx, variables, "hack/image.sh", r.version, r.out); err != nil {
		return err
	}
	return os.Rename(r.path(controller+".tar"), r.path(r.variant(controller)+".tar"))
}

// writePrograms writes the agent and the command line tool for each platform.
func (r release) writePrograms(ctx context.Context) error {
	if len(r.platforms) == 0 {
		return nil
	}
	args := []string{r.version, r.path(r.variant("agents"))}
	if r.key != "" {
		args = append(args, r.key)
	}
	variables := []string{r.module(), "PLATFORMS=" + strings.Join(r.platforms, " ")}
	if _, err := r.command(ctx, variables, "hack/agents.sh", args...); err != nil {
		return err
	}
	for _, platform := range r.platforms {
		system, arch, _ := strings.Cut(platform, "/")
		variables := []string{r.module(), "GOOS=" + system, "GOARCH=" + arch}
		if _, err := r.command(ctx, variables, "hack/build.sh", r.version,
			r.path("bin", program(r.variant("machineadmctl"), system, arch)), "machineadmctl"); err != nil {
			return err
		}
	}
	return nil
}

// program returns the file name of a program.
func program(name, system, arch string) string {
	name = fmt.Sprintf("%s-%s-%s", name, system, arch)
	if system == "windows" {
		name += ".exe"
	}
	return name
}
