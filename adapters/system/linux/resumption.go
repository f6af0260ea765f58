//go:build linux

package linux

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// Resumption lays down a unit that later boots start. It implements ports.Resumption.
type Resumption struct{ *Host }

var _ ports.Resumption = Resumption{}

// wantedAt is the link by which a boot starts the unit.
const wantedAt = linuxcmd.UnitDir + "/multi-user.target.wants/" + delivery.ResumeUnit

// Arm writes and enables the unit. systemd is not told: this boot has no need of it. A tree that does not run has no
// later boots.
func (r Resumption) Arm(ctx context.Context, argv []string) error {
	if !r.live {
		return nil
	}
	if err := r.tree.write(ctx, delivery.ResumeUnitPath, strings.NewReader(r.unit(argv)), 0o644, 0, 0); err != nil {
		return err
	}
	return r.tree.symlink(ctx, wantedAt, "../"+delivery.ResumeUnit)
}

// Disarm removes the unit. The userdata's program, which some formats start at every boot, does nothing any more; one
// that is put in its place may begin.
func (r Resumption) Disarm(ctx context.Context) error {
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

// wasReset is the userdata's program on a machine that was reset.
const wasReset = "#!/bin/sh\n# The machine was reset.\n"

// unit returns the unit's text. It comes after what brings the machine's name, its extensions and its container
// runtime, and after what this system's facts are asked of, if that ran at this boot: on a platform that it does not
// know it fails. A unit that a system does not have is waited for by nobody. It is not before kubelet, which it starts.
// An agent that a shutdown tells to stop has not failed.
func (r Resumption) unit(argv []string) string {
	wants := "network-online.target"
	if m := profile(r.osRelease()).Metadata; m != nil && r.tree.exists(m.File) {
		wants += " " + m.Unit
	}
	return "[Unit]\nDescription=machineadm: goes on with what an earlier boot began, and tells how it ended\n" +
		"Wants=" + wants + "\nAfter=" + wants +
		" local-fs.target cloud-init.service cloud-init-network.service machineadm-bootstrap.service " +
		"systemd-sysext.service containerd.service crio.service\n" +
		"\n[Service]\nType=oneshot\nRemainAfterExit=yes\nTimeoutStartSec=0\nSuccessExitStatus=143\nExecStart=" +
		commandLine(argv) +
		"\n\n[Install]\nWantedBy=multi-user.target\n"
}

// commandLine writes the words as systemd.service(5) reads them.
func commandLine(argv []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`)
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = `"` + escape.Replace(w) + `"`
	}
	return strings.Join(words, " ")
}
