package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// guard writes a program that becomes the given one, but dies with its starter, and returns its path. The program
// collects garbage less often than by default: collection took a fifth of the servers' processor time.
//
// envtest starts the servers itself and sets no such signal: without it, a test that is killed or reaches go test's own
// time limit would leave an API server and an etcd behind.
func guard(dir, program string) (string, error) {
	path := filepath.Join(dir, "guarded-"+filepath.Base(program))
	quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	script := "#!/bin/sh\nGOGC=400 GOMEMLIMIT=2000MiB exec setpriv --pdeathsig KILL -- " + quoted + " \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		return "", fmt.Errorf("guard %s: %w", program, err)
	}
	return path, nil
}

// guardedTool is Tool for a program that envtest starts; it writes the guard to the folder.
func guardedTool(ctx context.Context, dir, name string) (string, error) {
	program, err := Tool(ctx, name)
	if err != nil {
		return "", err
	}
	return guard(dir, program)
}
