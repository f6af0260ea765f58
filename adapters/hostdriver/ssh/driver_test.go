package ssh

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const claimID = "7d0fdc1e-0000-4000-8000-000000000001"

// faultOf returns the fault of an error.
func faultOf(err error) host.Fault {
	var failed *ports.HostError
	if errors.As(err, &failed) {
		return failed.Fault
	}
	return ""
}

// TestHostileHosts checks the fault of each behaviour. synctest fails if a goroutine of the driver does not end.
func TestHostileHosts(t *testing.T) {
	endless := func(s io.ReadWriter) int {
		for {
			if _, err := s.Write(bytes.Repeat([]byte("x"), 4096)); err != nil {
				return 0
			}
		}
	}
	cases := map[string]struct {
		session func(io.ReadWriter) int
		want    host.Fault
	}{
		"endless output":               {endless, host.FaultResponse},
		"no output":                    {func(s io.ReadWriter) int { readRequest(s); return 0 }, host.FaultUnsupported},
		"no shell":                     {func(s io.ReadWriter) int { readRequest(s); return 127 }, host.FaultUnsupported},
		"a login text":                 {answer("Welcome\nphase Claimed\nend\n"), host.FaultResponse},
		"half a response":              {answer("phase Claimed\n"), host.FaultResponse},
		"no phase":                     {answer("end\n"), host.FaultResponse},
		"a fault of its own":           {answer("fault DiskFull\nend\n"), host.FaultDiskFull},
		"a shutdown":                   {exits(143, ""), host.FaultUnreachable},
		"a shutdown between two lines": {exits(143, "phase Claimed\n"), host.FaultUnreachable},
		"a shutdown within a line":     {exits(137, "phase Clai"), host.FaultUnreachable},
		"a shutdown at the end":        {exits(143, "fault DiskFull\nend\n"), host.FaultDiskFull},
		"a failed fork":                {exits(2, "hostname YQ==\n"), host.FaultUnreachable},
		"a login shell that refuses":   {exits(1, "This account is not available.\n"), host.FaultResponse},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, c.session)
				d := s.driver(t, ports.HostDriverLimits{})
				_, err := d.Observe(t.Context(), s.target("a"), claimID)
				if got := faultOf(err); got != c.want {
					t.Errorf("error %v, want the fault %s", err, c.want)
				}
				if err != nil && strings.Contains(err.Error(), "Welcome") {
					t.Errorf("the error contains what the host sent: %v", err)
				}
			})
		})
	}
}

// TestSilentHost checks that a call ends if the host accepts a session and never answers.
func TestSilentHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, func(s io.ReadWriter) int { _, _ = io.Copy(io.Discard, s); return 0 })
		d := s.driver(t, ports.HostDriverLimits{})
		started := time.Now()
		_, err := d.Observe(t.Context(), s.target("a"), claimID)
		if faultOf(err) != host.FaultUnreachable || time.Since(started) != callTimeout {
			t.Errorf("error %v after %s", err, time.Since(started))
		}
	})
}

// TestConnectionIsShared checks that calls share a connection, and that it closes after the time without use.
func TestConnectionIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, answer("phase Claimed\nend\n"))
		d := s.driver(t, ports.HostDriverLimits{})
		for range 5 {
			if _, err := d.Observe(t.Context(), s.target("a"), claimID); err != nil {
				t.Fatal(err)
			}
		}
		if s.logins.Load() != 1 || s.open.Load() != 1 {
			t.Errorf("%d logins, %d open", s.logins.Load(), s.open.Load())
		}
		time.Sleep(ports.DefaultHostDriverLimits().Idle)
		synctest.Wait()
		if s.open.Load() != 0 {
			t.Error("the connection is open after the time without use")
		}
	})
}

// TestDeadConnection checks that a connection closes if the host stops to answer.
func TestDeadConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, answer("phase Claimed\nend\n"))
		s.silent = true
		d := s.driver(t, ports.HostDriverLimits{})
		if _, err := d.Observe(t.Context(), s.target("a"), claimID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(keepaliveInterval + keepaliveTimeout)
		synctest.Wait()
		if s.open.Load() != 0 {
			t.Error("the connection is open")
		}
		if _, err := d.Observe(t.Context(), s.target("a"), claimID); err != nil || s.logins.Load() != 2 {
			t.Errorf("error %v, %d logins", err, s.logins.Load())
		}
	})
}

// TestConnectionLimit checks that a connection without calls makes room for another host.
func TestConnectionLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, answer("phase Claimed\nend\n"))
		d := s.driver(t, ports.HostDriverLimits{Connections: 2, Sessions: 1, Handshakes: 1, Idle: time.Hour})
		for _, name := range []string{"a", "b", "c", "b", "c", "a"} {
			if _, err := d.Observe(t.Context(), s.target(name), claimID); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if open := s.open.Load(); open > 2 {
				t.Errorf("%d connections are open", open)
			}
		}
		if logins := s.logins.Load(); logins != 4 {
			t.Errorf("%d logins, want 4: only the connection of a was closed", logins)
		}
	})
}

// TestDataIsRequested checks that the data is sent only after the host has requested it.
func TestDataIsRequested(t *testing.T) {
	const canary = "c4n4ry"
	for name, c := range map[string]struct {
		answer string
		sent   bool
	}{
		"refused":   {"fault ClaimedByOther\nend\n", false},
		"requested": {"send\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var received string
				s := newServer(t, func(s io.ReadWriter) int {
					received = readRequest(s)
					_, _ = io.WriteString(s, c.answer)
					rest, _ := io.ReadAll(s)
					received += string(rest)
					if c.sent {
						_, _ = io.WriteString(s, "end\n")
					}
					return 0
				})
				d := s.driver(t, ports.HostDriverLimits{})
				err := d.Boot(t.Context(), s.target("a"), claimID, ports.HostBoot{
					Format: ports.HostFormatShell, Data: secret.FromString("#!/bin/sh\n" + canary),
				})
				if (err == nil) != c.sent || strings.Contains(received, canary) != c.sent {
					t.Errorf("error %v; the host received:\n%s", err, received)
				}
			})
		})
	}
}

// TestRefusedBeforeTheConnection checks the faults for which the driver does not connect.
func TestRefusedBeforeTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, answer("end\n"))
		networks, err := egress.ParseNetworks([]string{"198.51.100.0/24"})
		if err != nil {
			t.Fatal(err)
		}
		d := New(Options{Networks: networks})
		t.Cleanup(d.Close)
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		for name, c := range map[string]struct {
			change func(*ports.HostTarget)
			claim  string
			ctx    context.Context
			want   host.Fault
		}{
			"another network": {func(*ports.HostTarget) {}, claimID, t.Context(), host.FaultUnreachable},
			"no connection":   {func(h *ports.HostTarget) { h.Connection = nil }, claimID, t.Context(), host.FaultUnsupported},
			"no port": {
				func(h *ports.HostTarget) { h.Connection.Port = 0 }, claimID, t.Context(),
				host.FaultUnreachable,
			},
			"a malformed host key": {
				func(h *ports.HostTarget) { h.Connection.HostKeys = []string{"ssh-ed25519 AAAA"} }, claimID, t.Context(),
				host.FaultHostKeyUnknown,
			},
			"a path as the claim": {func(*ports.HostTarget) {}, "../../etc", t.Context(), host.FaultForeignClaim},
			"cancelled":           {func(*ports.HostTarget) {}, claimID, cancelled, ""},
		} {
			target := s.target("a")
			c.change(&target)
			if err := d.Claim(c.ctx, target, c.claim); err == nil || faultOf(err) != c.want {
				t.Errorf("%s: error %v, want the fault %q", name, err, c.want)
			}
		}
		if s.logins.Load() != 0 {
			t.Error("the driver connected")
		}
	})
}
