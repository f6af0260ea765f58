// Command machineadm is the agent: it brings the machine it runs on into the state that a machine configuration describes.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/machineadm/machineadm/adapters/nodecli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return nodecli.Run(ctx, nodecli.Options{
		Out: os.Stdout, Err: os.Stderr, In: os.Stdin, Open: open, Version: version(),
	}, os.Args[1:])
}

// version returns the module's version, as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
