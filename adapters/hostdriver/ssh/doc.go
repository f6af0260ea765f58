// Package ssh boots machines on hosts that have an SSH server. It implements ports.HostDriver.
//
// Each call is one session of a shared connection. It runs a fixed command, which reads host.sh and the values of the
// call from standard input; see docs/adr/0075-hosts-are-an-infrastructure-provider.md. Nothing that a host sends is
// trusted: its output is limited, has a fixed syntax, and is never part of an error.
package ssh
