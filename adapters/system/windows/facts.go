package windows

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// Detect detects the version of Windows. Facts of the hint are not queried again.
func (h *Host) Detect(ctx context.Context, hint osprofile.Target) (osprofile.Target, error) {
	t := hint
	if t.Architecture == "" {
		t.Architecture = runtime.GOARCH
	}
	if t.Profile.ID != "" {
		return t, nil
	}
	caption, err := h.program(ctx, "find out which Windows it is", "powershell.exe", "-NoProfile",
		"-NonInteractive", "-Command", "(Get-CimInstance Win32_OperatingSystem).Caption")
	if err != nil {
		return t, err
	}
	for _, p := range osprofile.Builtin() {
		if p.Family == osprofile.FamilyWindows && strings.Contains(string(caption), p.Name) {
			t.Profile = p
			return t, nil
		}
	}
	return t, fmt.Errorf("%q has no profile; name one", strings.TrimSpace(string(caption)))
}

// Lookup returns the machine's own name, the address of its default route, or ErrNoFact. It implements ports.Facts.
func (h *Host) Lookup(ctx context.Context, fact document.Fact) (string, error) {
	switch fact {
	case document.FactHostname, document.FactShortHostname:
		return os.Hostname()
	case document.FactPrivateIPv4:
		p, err := h.ask(ctx, "look for the address", "Show-Address")
		if address := p.one("address"); address != "" || err != nil {
			return address, err
		}
	case document.FactFQDN, document.FactPublicIPv4, document.FactIPv6, document.FactInstanceID, document.FactRegion,
		document.FactZone:
	}
	return "", fmt.Errorf("%s: %w", fact, ports.ErrNoFact)
}
