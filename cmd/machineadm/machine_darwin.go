package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/machineadm/machineadm/adapters/nodecli"
)

// open refuses, because no node runs macOS. Commands that need no machine work, such as those for plugins.
func open(nodecli.Setup) (*nodecli.Machine, error) {
	return nil, errors.New("machineadm configures machines with Linux or Windows, and this one has macOS; " +
		"to look at a configuration here, use machineadmctl")
}

// begin carries out the command line.
func begin(ctx context.Context, run func(context.Context) int) int { return run(ctx) }

// console does nothing: no machine boots with this program.
func console(string) {}

// service reports that no service manager started this process.
func service() bool { return false }

// socketFolder is where the sockets of plugins are. The temporary directory of macOS belongs to one user.
func socketFolder() string { return filepath.Join(os.TempDir(), "machineadm", "plugins") }

// userdata returns the paths of the files that userdata writes.
func userdata() nodecli.Userdata { return nodecli.Linux() }
