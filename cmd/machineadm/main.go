// Command machineadm is the agent. It applies a machine configuration to the machine on which it runs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/cmd/internal/build"
)

func main() { os.Exit(run()) }

func run() int {
	built, err := build.Read()
	if err != nil {
		fmt.Fprintln(os.Stderr, "machineadm:", err)
		return nodecli.ExitFailed
	}
	if p, is := served(os.Args[0]); is {
		sdk.Serve(p)
		return nodecli.ExitOK
	}
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	// A connection that breaks does not end the run: writing to a closed output fails instead, and the result is in the
	// status.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return begin(ctx, func(ctx context.Context) int {
		return nodecli.Run(ctx, nodecli.Options{
			Out: os.Stdout, Err: os.Stderr, In: os.Stdin, Open: open, Plugins: pluginsOf,
			Version: built.Version, FIPSModule: built.FIPSModule, Console: console,
			Service: service(), Userdata: userdata(), Program: self(), Interactive: isatty.IsTerminal(os.Stdin.Fd()),
		}, os.Args[1:])
	})
}

// stopSignals returns the signals that stop a run. SIGHUP reports that the terminal is gone; nohup(1) ignores it.
// Without a handler it would end the agent and leave the programs that the agent has started.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// self returns the path of this program, or empty if the system does not provide it.
func self() string {
	at, err := os.Executable()
	if err != nil {
		return ""
	}
	return at
}

// buildVersion returns the release's version, or what the Go toolchain knows of the build.
func buildVersion() string {
	// The function run returns the error.
	built, _ := build.Read()
	return built.Version
}
