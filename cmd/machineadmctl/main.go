// Command machineadmctl renders, validates and explains the bootstrap data of machines without a cluster.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/ports"
)

// version is set by the linker for releases.
var version string

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	service, err := render.New(formats.Builtin(), plugins.Builtin(), render.WithWrapper(envelope.Wrapper{}),
		render.WithCodec(codec.Codec{}), render.WithSignatures(signature.Verifier{}), render.WithEncrypter(encrypter(errs)))
	if err != nil {
		fmt.Fprintln(errs, "machineadmctl:", err)
		return 1
	}
	return cli.Run(ctx, cli.Options{
		Render: service, Codec: codec.Codec{}, Encrypter: encrypter(errs), Decrypter: decrypter(errs),
		ControlPlanes: controlPlanes, Clock: systemClock{}, Color: colors(out), Version: buildVersion(),
		In: in, Out: out, Err: errs,
	}, args)
}

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

// buildVersion returns the version of the release, or that of the module in the build information, and the commit.
func buildVersion() cli.Version {
	v := cli.Version{Version: version, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = cmp.Or(version, info.Main.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value
		}
	}
	return v
}
