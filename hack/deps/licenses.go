package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// writeLicenses writes the licences and notices of all linked modules to a file, as their licences ask of those who
// ship binaries.
func writeLicenses(ctx context.Context, path string) error {
	modules, err := linkedModules(ctx)
	if err != nil {
		return err
	}
	//nolint:gosec // Everyone may read licences.
	if err := os.WriteFile(path, []byte(licensesText(modules)), 0o644); err != nil {
		return fmt.Errorf("write the licences: %w", err)
	}
	return nil
}

// licensesText returns one section for each module. The same modules give the same text.
func licensesText(modules []module) string {
	var b strings.Builder
	b.WriteString("machineadm links the following modules. `go mod download MODULE@VERSION` fetches the source of a\n" +
		"module. That of the Go standard library (std) is part of the Go distribution.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n", strings.Repeat("=", 80), m.path, m.version, strings.Join(m.licenses, ", "))
		for _, t := range m.texts {
			fmt.Fprintf(&b, "%s\n%s:\n\n%s\n", strings.Repeat("-", 80), t.name, strings.TrimRight(t.content, "\n"))
		}
	}
	return b.String()
}
