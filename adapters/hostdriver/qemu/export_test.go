//go:build linux

package qemu

import (
	"github.com/machineadm/machineadm/ports"
)

// Seed returns the name and the content of a seed.
func Seed(kind string, boot ports.HostBoot) (name string, content []byte, err error) {
	kind, err = seedKind(kind, boot.Format)
	if err != nil {
		return "", nil, err
	}
	return seed(kind, "0b4e1c1e-0000-4000-8000-000000000001", boot)
}

// Report returns the text of a report.
func Report(text string) string { return string(report(text)) }
