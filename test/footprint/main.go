// Command footprint measures what the agent costs a machine, in one run on one machine: its size beside that of EKS
// nodeadm, and the time and memory that it takes to bring a machine about, beside real cloud-init that does the same on
// the same root. It needs root.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// settings are the flags.
type settings struct {
	rounds int
	suite  string
	output string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "footprint:", err)
		os.Exit(1)
	}
}

func parse() settings {
	rounds := flag.Int("rounds", 5, "how often each configures a machine; the median is printed")
	suite := flag.String("root", "bookworm", "which root; hack/roots.sh lists them")
	out := flag.String("o", "", "json prints JSON in place of tables")
	flag.Parse()
	return settings{rounds: max(1, *rounds), suite: *suite, output: *out}
}

// machines are the manifests, without their extension.
func machines() []string { return []string{"worker", "large"} }

// results are those of a run.
type results struct {
	// Sizes are those of the stripped programs for linux/amd64 in bytes.
	Sizes map[string]int64 `json:"sizes"`
	// Runs are all rounds of all contestants, in their order.
	Runs []measured `json:"runs"`
}

func run(ctx context.Context, s settings) error {
	dir, err := os.MkdirTemp("", "machineadm-footprint-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// First-boot programs work as users that they make, who have to come through here.
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // it is a machine's root
		return err
	}
	r := results{}
	if r.Sizes, err = sizes(ctx, dir); err != nil {
		return err
	}
	if _, err := output(ctx, "hack/packages.sh", "time"); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "rendering the machines, and making their root if it is not there yet")
	var all []contestant
	for _, machine := range machines() {
		some, err := contestants(ctx, dir, machine)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	lower, err := output(ctx, "hack/roots.sh", s.suite)
	if err != nil {
		return err
	}
	for round := range s.rounds {
		for i, c := range all {
			m, err := c.run(ctx, lower, filepath.Join(dir, fmt.Sprintf("%d-%d", i, round)))
			if err != nil {
				return err
			}
			r.Runs = append(r.Runs, m)
		}
	}
	return r.print(s.output)
}

func (r results) print(format string) error {
	if format == "json" {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	return r.tables(os.Stdout)
}

// output returns what a program of the project prints.
func output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(programs.Root(), program), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// build builds the agent as a release does.
func build(ctx context.Context, at string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", at,
		"./cmd/machineadm")
	cmd.Dir, cmd.Stderr = programs.Root(), os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build the agent: %w", err)
	}
	return nil
}

// sizes builds the agent into the directory, obtains nodeadm, and returns the sizes of both.
func sizes(ctx context.Context, dir string) (map[string]int64, error) {
	agent := filepath.Join(dir, agentName)
	if err := build(ctx, agent); err != nil {
		return nil, err
	}
	other, err := controlplane.Tool(ctx, "nodeadm")
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for name, path := range map[string]string{agentName: agent, "nodeadm": other} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		sizes[name] = info.Size()
	}
	return sizes, nil
}
