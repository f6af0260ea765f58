package portstest

import (
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// Membership checks an implementation on a machine that is a member, as one of several. Member reports whether the
// others still count on it.
func Membership(t *testing.T, m ports.Membership, member func(t *testing.T) bool) {
	t.Helper()
	if !member(t) {
		t.Fatal("the machine is no member to begin with")
	}
	for range 2 {
		if err := m.Leave(t.Context()); err != nil || member(t) {
			t.Errorf("left with error %v, and a member: %t", err, member(t))
		}
	}
}
