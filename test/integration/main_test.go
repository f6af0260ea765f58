package integration_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// patience is how long a test waits for what the controllers do; it ends as soon as that is done.
const patience = 2 * time.Minute

// environment is the control plane that all tests share; each of them has a namespace of its own.
type environment struct {
	*controlplane.ControlPlane
	provider *controlplane.Provider
	// program is the provider's, and ctx ends with the run: what is started with them may outlive a test.
	program string
	ctx     context.Context //nolint:containedctx // it is the run's
	// foreign is somebody else's controller; nil until a test asks for it.
	foreign *controlplane.Process
}

var shared = sync.OnceValue(func() *environment { return &environment{} })

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	code, err := run(m)
	if err != nil {
		fmt.Fprintf(os.Stderr, "integration: %v\n", err)
		code = 1
	}
	os.Exit(code)
}

// run starts everything, runs the tests and stops everything.
func run(m *testing.M) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "machineadm-integration-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true})
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	processes, err := startManagers(ctx, c)
	for _, p := range processes {
		defer func() { err = errors.Join(err, p.Stop()) }()
	}
	if err != nil {
		return 1, err
	}
	// Tests may have put another provider in the first one's place, and somebody else's controller beside it.
	defer func() {
		err = errors.Join(err, shared().provider.Stop())
		if p := shared().foreign; p != nil {
			err = errors.Join(err, p.Stop())
		}
	}()
	return m.Run(), nil
}

func startManagers(ctx context.Context, c *controlplane.ControlPlane) (processes []*controlplane.Process, err error) {
	kcm, err := c.StartControllerManager(ctx)
	if err != nil {
		return nil, err
	}
	processes = append(processes, kcm)
	manager, err := c.StartCore(ctx, core())
	if err != nil {
		return processes, err
	}
	processes = append(processes, manager)
	if err := c.StartStandIn(ctx); err != nil {
		return processes, err
	}
	if err := c.InstallProvider(ctx); err != nil {
		return processes, err
	}
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return processes, err
	}
	provider, err := c.StartProvider(ctx, program)
	if err != nil {
		return processes, err
	}
	*shared() = environment{ControlPlane: c, provider: provider, program: program, ctx: ctx}
	return processes, nil
}
