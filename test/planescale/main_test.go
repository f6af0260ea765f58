package planescale_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// environment is a management cluster with Cluster API and an infrastructure provider.
type environment struct {
	*controlplane.ControlPlane
	// program is the path of the controller, and ctx ends with the run.
	program        string
	ctx            context.Context //nolint:containedctx // it is the run's
	infrastructure *controlplane.InMemory
	processes      []*controlplane.Process
}

// env is the environment that the tests share. They run one after the other, because they measure.
var env = &environment{}

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintf(os.Stderr, "planescale: %v\n", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "machineadm-planescale-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env.ctx = ctx
	if env.program, err = programs.Build(ctx, "machineadm-controller"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, env.stop()) }()
	if err := env.start(dir); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// start starts the management cluster with everything but the providers of control planes.
func (e *environment) start(dir string) (err error) {
	if e.ControlPlane, err = controlplane.Start(e.ctx, controlplane.Options{Dir: dir, Audit: true}); err != nil {
		return err
	}
	for _, start := range []func(context.Context) (*controlplane.Process, error){
		e.StartControllerManager,
		func(ctx context.Context) (*controlplane.Process, error) {
			return e.StartCore(ctx, controlplane.Core114())
		},
	} {
		p, err := start(e.ctx)
		if err != nil {
			return err
		}
		e.processes = append(e.processes, p)
	}
	if e.infrastructure, err = e.StartInMemory(e.ctx); err != nil {
		return err
	}
	e.processes = append(e.processes, e.infrastructure.Process)
	if err := errors.Join(e.InstallProvider(e.ctx), e.InstallPlanes(e.ctx)); err != nil {
		return err
	}
	provider, err := e.StartProvider(e.ctx, e.program)
	if err != nil {
		return err
	}
	e.processes = append(e.processes, provider.Process)
	return nil
}

// stop stops what runs, and then the management cluster, which searches everything for secrets.
func (e *environment) stop() (err error) {
	for _, p := range e.processes {
		err = errors.Join(err, p.Stop())
	}
	if e.ControlPlane == nil {
		return err
	}
	return errors.Join(err, e.Stop())
}
