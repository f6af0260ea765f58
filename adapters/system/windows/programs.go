package windows

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"
)

const (
	// maxOutput is how much of the end of a program's output is kept for the record of a failure, in bytes.
	maxOutput = 64 << 10
	// outputDelay is how long the output is awaited after the program ended, since a child may hold it open.
	outputDelay = 3 * time.Second
)

// Programs starts programs with the system's environment and without standard input. It implements Runner.
type Programs struct {
	// Log receives the output.
	Log io.Writer
}

// Run starts the program and waits for it.
func (p Programs) Run(ctx context.Context, argv ...string) ([]byte, int, error) {
	var output tail
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout = io.MultiWriter(&output, p.Log)
	cmd.Stderr = cmd.Stdout
	cmd.WaitDelay = outputDelay
	err := cmd.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return output.Bytes(), failed.ExitCode(), nil
	}
	return output.Bytes(), 0, err
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

// Write appends the bytes and keeps the last maxOutput bytes.
func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - maxOutput; over > 0 {
		t.Next(over)
	}
	return n, err
}
