package host_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/host"
)

func TestBootFailureLine(t *testing.T) {
	for name, c := range map[string]struct {
		failure host.BootFailure
		want    string
	}{
		"the agent's record": {
			host.BootFailure{
				Phase: "join", Step: "documents[6]", Action: "run kubeadm join", Cause: "no route", Log: "x", ExitCode: 1,
			}, "phase join: run kubeadm join: no route",
		},
		"the name of the command": {
			host.BootFailure{Phase: "join", Action: "run kubeadm init", Cause: "kubeadm init: exit code 1: no route"},
			"phase join: run kubeadm init: exit code 1: no route",
		},
		"the bootstrap program's record": {
			host.BootFailure{Phase: "pre", Step: "spec.commands[0]", ExitCode: 7, Log: "one\nthere is no disk\n\n"},
			"phase pre: spec.commands[0]: exit code 7: there is no disk",
		},
		"kubeadm ends with a hint": {
			host.BootFailure{ExitCode: 1, Log: "[ERROR CRI]: no runtime\nerror: preflight checks " +
				"failed\nTo see the stack trace\n"},
			"exit code 1: [ERROR CRI]: no runtime; use an image with a container runtime, or install one with " +
				"spec.machine.kubernetes.provision: Package",
		},
		"no record": {host.BootFailure{ExitCode: 3}, "exit code 3"},
		"a secret":  {host.BootFailure{Cause: "sent Bearer abcdefghijk"}, "sent Bearer [redacted]"},
		"a long text": {
			host.BootFailure{Cause: strings.Repeat("a", 2*host.MaxFailure)},
			strings.Repeat("a", host.MaxFailure),
		},
		"more lines": {host.BootFailure{Cause: "one\ntwo\x1b"}, "one; two"},
	} {
		if got := c.failure.Line(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestOSImage(t *testing.T) {
	for release, want := range map[string]string{
		"NAME=a\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n": "Debian GNU/Linux 12 (bookworm)",
		"PRETTY_NAME=Alpine\n": "Alpine", "NAME=a\n": "", "": "",
	} {
		if got := host.OSImage(release); got != want {
			t.Errorf("%q: %q, want %q", release, got, want)
		}
	}
}
