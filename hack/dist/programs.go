package main

import (
	"context"
	"fmt"
	"strings"
)

// writeImage writes the controller's image for the platforms with Linux.
func (r release) writeImage(ctx context.Context) error {
	if r.skipImage || len(r.linux()) == 0 {
		return nil
	}
	var variables []string
	// By default, the image also contains agents for other systems.
	if strings.Join(r.platforms, " ") != everywhere {
		variables = []string{"PLATFORMS=linux/" + strings.Join(r.linux(), " linux/")}
	}
	_, err := r.command(ctx, variables, "hack/image.sh", r.version, r.out)
	return err
}

// writePrograms writes the agent and the command line tool for each platform.
func (r release) writePrograms(ctx context.Context) error {
	if len(r.platforms) == 0 {
		return nil
	}
	args := []string{r.version, r.path("agents")}
	if r.key != "" {
		args = append(args, r.key)
	}
	variables := []string{"PLATFORMS=" + strings.Join(r.platforms, " ")}
	if _, err := r.command(ctx, variables, "hack/agents.sh", args...); err != nil {
		return err
	}
	for _, platform := range r.platforms {
		system, arch, _ := strings.Cut(platform, "/")
		variables := []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch}
		if _, err := r.command(ctx, variables, "go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+r.version,
			"-o", r.path("bin", program("machineadmctl", system, arch)), "./cmd/machineadmctl"); err != nil {
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
