package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestInterruptEndsTheProgram interrupts a command that waits for the rest of its standard input.
func TestInterruptEndsTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, self)
	command.Args = []string{"machineadmctl", "validate", "-f", "-"}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	// A pipe holds less, so the command reads when this returns.
	if _, err := in.Write([]byte(strings.Repeat("# \n", 1<<20))); err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, %s", code, command.ProcessState)
	}
}
