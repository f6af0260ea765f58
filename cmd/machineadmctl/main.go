// Command machineadmctl renders, validates and explains the bootstrap data of machines without a cluster.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/build"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/ports"
)

const (
	// interruptGrace is the time in which a command can end by itself after an interrupt, such as Ctrl-C.
	interruptGrace = time.Second
	// exitInterrupted is the exit code afterwards, by the convention of shells: 128 and the number of the signal.
	exitInterrupted = 130
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, in io.Reader, out, errs io.Writer) int {
	built, err := build.Read()
	if err != nil {
		fmt.Fprintln(errs, "machineadmctl:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, exitSoon)()
	service, err := render.New(formats.Builtin(), plugins.Builtin(), render.WithWrapper(envelope.Wrapper{}),
		render.WithCodec(codec.Codec{}), render.WithSignatures(signature.Verifier{}), render.WithEncrypter(encrypter(errs)))
	if err != nil {
		fmt.Fprintln(errs, "machineadmctl:", err)
		return 1
	}
	return cli.Run(ctx, cli.Options{
		Render: service, Codec: codec.Codec{}, Encrypter: encrypter(errs), Decrypter: decrypter(errs),
		ControlPlanes: controlPlanes, Clock: systemClock{}, Color: colors(out), Version: versionOf(built),
		In: in, Out: out, Err: errs,
	}, args)
}

// exitSoon ends the program after interruptGrace: a command that waits for its standard input, or that computes, does
// not see the end of its context.
func exitSoon() { time.AfterFunc(interruptGrace, func() { os.Exit(exitInterrupted) }) }

// controlPlanes returns what reads control planes as the controller does.
func controlPlanes(c client.Client, contents func(namespace string) convert.Resolver) ports.ControlPlaneObjects {
	return &controlplane.Store{Client: c, Live: c, Clock: systemClock{}, Resolver: contents}
}

// systemClock returns the time of the operating system.
type systemClock struct{}

// Now returns the current time.
func (systemClock) Now() time.Time { return time.Now() }

// colors reports whether the output is a terminal that displays colors. NO_COLOR disables them (no-color.org).
func colors(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// versionOf returns what the command version prints.
func versionOf(built build.Info) cli.Version {
	return cli.Version{
		Version: built.Version, Commit: built.Commit, GoVersion: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, FIPSModule: built.FIPSModule,
	}
}
