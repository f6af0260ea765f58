package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// largest is how many bytes the stripped agent may have. EKS nodeadm has 52 million.
const largest = 25_000_000

func TestAgentIsSmall(t *testing.T) {
	agent := filepath.Join(t.TempDir(), agentName)
	if err := build(t.Context(), agent); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(agent)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > largest {
		t.Errorf("the agent has %d bytes, %d more than it may", info.Size(), info.Size()-largest)
	}
	// What counts is what runs.
	if out, err := exec.CommandContext(t.Context(), agent, "version").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
