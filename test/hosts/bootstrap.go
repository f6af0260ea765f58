//go:build linux

package hosts

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/canary"
)

// script appends a line to a file and waits for the file of Finish, which contains a failure or nothing.
const script = `#!/bin/sh
# ` + portstest.DriverCanary + ` ` + canary.Mark + `
echo started >>/var/lib/runs
until [ -e /var/tmp/finish ]; do sleep 0.1; done
failure=$(cat /var/tmp/finish)
rm /var/tmp/finish
if [ "$failure" ]; then
  echo "$failure"
  exit 1
fi
` + Succeed

// Succeed is the end of a script that succeeds: the agent applies configuration, so that a release reverts it.
const Succeed = `umask 077
echo '{apiVersion: machineadm.io/v1alpha1, kind: File, spec: {path: /etc/applied, content: "yes"}}' >/run/configuration
exec machineadm apply --path=/run/configuration
`

// Script returns bootstrap data that waits for Finish and contains portstest.DriverCanary and
// canary.Mark.
func Script() ports.HostBoot {
	return ports.HostBoot{Format: ports.HostFormatShell, Data: secret.FromString(script)}
}

// Shell runs a shell command on a host as root, and returns its output.
type Shell func(t testing.TB, command string) string

// Run runs a shell command.
func (s Shell) Run(t testing.TB, command string) string {
	t.Helper()
	return s(t, command)
}

// Finish ends the run of Script: with success, or with the failure.
func (s Shell) Finish(t testing.TB, failure string) {
	t.Helper()
	s(t, "printf %s '"+failure+"' >/var/tmp/finish")
}

// Runs returns how often Script was started.
func (s Shell) Runs(t testing.TB) int {
	t.Helper()
	return strings.Count(s(t, "cat /var/lib/runs 2>/dev/null || true"), "started")
}

// BreakReset makes the next reset fail: the agent cannot read its journal.
func (s Shell) BreakReset(t testing.TB) {
	t.Helper()
	s(t, "mkdir -p /var/lib/machineadm && echo malformed >/var/lib/machineadm/journal.jsonl")
}
