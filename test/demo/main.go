// Command demo shows the main job on real parts: it starts a management cluster on loopback, applies
// config/samples/demo.yaml, and waits until each Machine has its bootstrap data. It stops whatever it started, also
// when it fails.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

func main() {
	out := flag.String("out", "demo", "folder for the userdata")
	keep := flag.Bool("keep", false, "leave the cluster running until interrupted")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *out, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// progress prints each step with the seconds since the start.
type progress struct{ began time.Time }

func (p progress) print(format string, args ...any) {
	fmt.Printf("%5.1fs  %s\n", time.Since(p.began).Seconds(), fmt.Sprintf(format, args...))
}

func run(ctx context.Context, out string, keep bool) (err error) {
	p := progress{began: time.Now()}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "machineadm-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	c, stop, err := start(ctx, p, dir)
	// An interrupt ends the servers before they can be searched.
	defer func() {
		if ended := stop(); !errors.Is(ended, controlplane.ErrNotSearched) {
			err = errors.Join(err, ended)
		}
	}()
	if err != nil {
		return err
	}
	if err := bootstrap(ctx, p, c); err != nil {
		return err
	}
	if err := show(ctx, c, out); err != nil {
		return err
	}
	if !keep {
		return nil
	}
	kubeconfig := filepath.Join(out, "kubeconfig")
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		return err
	}
	p.print("still running; try: kubectl --kubeconfig %s get machines,machinebootstrapconfigs; end with Ctrl-C",
		kubeconfig)
	<-ctx.Done()
	return nil
}

// start starts all parts. The function that it returns stops what runs, in the opposite order, whatever failed.
func start(ctx context.Context, p progress, dir string) (*controlplane.ControlPlane, func() error, error) {
	var stops []func() error
	stop := func() error {
		var errs []error
		for i := len(stops) - 1; i >= 0; i-- {
			errs = append(errs, stops[i]())
		}
		return errors.Join(errs...)
	}
	p.print("starting etcd and kube-apiserver (built first if they are not there yet)")
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true})
	if err != nil {
		return nil, stop, err
	}
	stops = append(stops, c.Stop)
	for _, part := range []struct {
		name  string
		start func() (*controlplane.Process, error)
	}{
		{"kube-controller-manager", func() (*controlplane.Process, error) { return c.StartControllerManager(ctx) }},
		{"the core Cluster API manager", func() (*controlplane.Process, error) {
			return c.StartCore(ctx, controlplane.Core114())
		}},
		{"machineadm-controller", func() (*controlplane.Process, error) { return startProvider(ctx, c) }},
	} {
		p.print("starting %s", part.name)
		process, err := part.start()
		if err != nil {
			return nil, stop, err
		}
		stops = append(stops, process.Stop)
	}
	p.print("starting a fake infrastructure provider")
	return c, stop, c.StartStandIn(ctx)
}

func startProvider(ctx context.Context, c *controlplane.ControlPlane) (*controlplane.Process, error) {
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return nil, err
	}
	if err := c.InstallProvider(ctx); err != nil {
		return nil, err
	}
	provider, err := c.StartProvider(ctx, program)
	if err != nil {
		return nil, err
	}
	return provider.Process, nil
}
