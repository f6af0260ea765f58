package main

import (
	"strings"
	"testing"
)

// TestOneDemo checks that a demo refuses to start while another one runs, and starts after its end.
func TestOneDemo(t *testing.T) {
	const name = "@machineadm-demo-test"
	var first, second demo
	if err := first.onlyOne(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if err := second.onlyOne(t.Context(), name); err == nil || !strings.Contains(err.Error(), "another demo runs") {
		t.Errorf("error %v", err)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	if err := second.onlyOne(t.Context(), name); err != nil {
		t.Error(err)
	}
	if err := second.stop(); err != nil {
		t.Error(err)
	}
}
