//go:build linux

package linux

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// Resumption manages the unit that resumes a bootstrap at later boots. It implements ports.Resumption.
type Resumption struct{ *Host }

var _ ports.Resumption = Resumption{}

// wantedAt is the link that enables the unit.
const wantedAt = linuxcmd.UnitDir + "/multi-user.target.wants/" + delivery.ResumeUnit

// Enable writes and enables the unit. It does not reload systemd, because only later boots need the unit. It first
// flushes the agent and its configuration, which the userdata has just written: the unit needs both after a power cut.
// In a tree that is not running it does nothing.
func (r Resumption) Enable(ctx context.Context, argv []string) error {
	if !r.live {
		return nil
	}
	r.flush()
	if err := r.tree.write(ctx, delivery.ResumeUnitPath, strings.NewReader(r.unit(argv)), 0o644, 0, 0); err != nil {
		return err
	}
	return r.tree.symlink(ctx, wantedAt, "../"+delivery.ResumeUnit)
}

// Disable removes the unit. It replaces the bootstrap program, which some formats start at every boot, with an empty
// one. A new bootstrap program may start afterwards.
func (r Resumption) Disable(ctx context.Context) error {
	for _, path := range []string{wantedAt, delivery.ResumeUnitPath} {
		if err := r.tree.unlink(path); err != nil {
			return err
		}
	}
	if r.tree.exists(delivery.BootstrapPath) {
		if err := r.tree.write(ctx, delivery.BootstrapPath, strings.NewReader(wasReset), 0o700, 0, 0); err != nil {
			return err
		}
	}
	return r.tree.unlink(delivery.StartedPath)
}

// wasReset is the bootstrap program of a machine that was reset.
const wasReset = "#!/bin/sh\n# The machine was reset.\n"

// unit returns the text of the unit. It is ordered after the units that set the host name, the extensions and the
// container runtime. It wants the metadata unit only if that unit ran at this boot, because it fails on unknown
// platforms. systemd ignores units that do not exist. The unit is not ordered before kubelet, which it starts. Exit
// code 143 is a stop at shutdown, not a failure.
func (r Resumption) unit(argv []string) string {
	wants := "network-online.target"
	if m := profile(r.osRelease()).Metadata; m != nil && r.tree.exists(m.File) {
		wants += " " + m.Unit
	}
	return "[Unit]\nDescription=machineadm: resume an interrupted bootstrap\n" +
		"Wants=" + wants + "\nAfter=" + wants +
		" local-fs.target cloud-init.service cloud-init-network.service machineadm-bootstrap.service " +
		"systemd-sysext.service containerd.service crio.service\n" +
		"\n[Service]\nType=oneshot\nRemainAfterExit=yes\nTimeoutStartSec=0\nSuccessExitStatus=143\nExecStart=" +
		commandLine(argv) +
		"\n\n[Install]\nWantedBy=multi-user.target\n"
}

// commandLine quotes the words for systemd.service(5).
func commandLine(argv []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`)
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = `"` + escape.Replace(w) + `"`
	}
	return strings.Join(words, " ")
}
