package integration_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// patience is the timeout for what the controllers do. It is long, because busy machines with two processors run these
// tests; no test waits for its end unless it fails.
const patience = 10 * time.Minute

// concurrent is the number of tests that run at the same time: they wait for controllers more than they work.
const concurrent = 8

// environment is a control plane with a Cluster API core manager. Each test has a namespace of its own in it.
type environment struct {
	*controlplane.ControlPlane
	// provider is the controller that runs. Tests of the replaceable environment start it.
	provider *controlplane.Provider
	// program is the path of the controller, and ctx ends with the run: processes with this context may outlive a test.
	program string
	ctx     context.Context //nolint:containedctx // it is the run's
	// endpoint is the endpoint for machines of the shared environment's controller.
	endpoint *controlplane.MachineEndpoint
	// foreign is the controller of a third-party kind; nil until a test needs it.
	foreign *controlplane.Process
	// replacing is held by the test that replaces the controller.
	replacing sync.Mutex
	processes []*controlplane.Process
	// common creates the cluster that tests share.
	common sync.Once
}

// shared is the environment whose controller serves machines and logs details; tests use it at the same time.
var shared = sync.OnceValue(func() *environment { return &environment{} })

// replaceable is the environment of tests that need other flags, more controllers, or a restart; one test uses it at a
// time. It starts with the first of them.
var replaceable = sync.OnceValues(func() (*environment, error) {
	e := &environment{program: shared().program, ctx: shared().ctx}
	return e, e.start(filepath.Join(shared().Dir, "replaceable"))
})

// replaced contains the names of the running tests that use the replaceable environment.
var replaced sync.Map

// environmentOf returns the environment of a test: the shared one, unless the test has called manage.
func environmentOf(t *testing.T) *environment {
	name, _, _ := strings.Cut(t.Name(), "/")
	if e, found := replaced.Load(name); found {
		return e.(*environment)
	}
	return shared()
}

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintf(os.Stderr, "integration: %v\n", err)
		code = 1
	}
	os.Exit(code)
}

// run starts the shared environment, runs the tests and stops everything.
func run(m *testing.M) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "machineadm-integration-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return 1, err
	}
	// The controllers find their own namespace there, as in a Pod. Less garbage collection leaves more processor time.
	if err := errors.Join(os.Setenv("POD_NAMESPACE", controlplane.ProviderNamespace), os.Setenv("GOGC", "400"),
		flag.Set("test.parallel", strconv.Itoa(concurrent))); err != nil {
		return 1, err
	}
	e := shared()
	e.program, e.ctx = program, ctx
	defer func() { err = errors.Join(err, e.stop()) }()
	if err := e.start(dir); err != nil {
		return 1, err
	}
	if e.endpoint, err = controlplane.NewMachineEndpoint(dir); err != nil {
		return 1, err
	}
	if e.provider, err = e.StartProvider(ctx, program, append(e.endpoint.Flags, "--v=5")...); err != nil {
		return 1, err
	}
	ended := make(chan struct{})
	go e.watch(ended)
	code = m.Run()
	close(ended)
	if started.Load() {
		other, startErr := replaceable()
		err = errors.Join(startErr, other.stop())
	}
	return code, err
}

// watch ends the run when the controller ends before the tests. Otherwise, each test would wait until its timeout.
func (e *environment) watch(ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-time.After(time.Second):
		}
		if !e.provider.Running() {
			log, err := os.ReadFile(e.provider.Log)
			fmt.Fprintf(os.Stderr, "integration: the controller has ended: %v\n%s\n", err, log[max(0, len(log)-8<<10):])
			os.Exit(1)
		}
	}
}

// mentions returns the last lines in which the controllers mention a text.
func (e *environment) mentions(text string) string {
	logs := []string{e.provider.Log}
	for _, p := range e.processes {
		logs = append(logs, p.Log)
	}
	var found []string
	for _, name := range logs {
		log, _ := os.ReadFile(name)
		lines := slices.Collect(strings.Lines(string(log)))
		lines = slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, text) })
		found = append(append(found, filepath.Base(name)+":\n"), lines[max(0, len(lines)-60):]...)
	}
	return strings.Join(found, "")
}

// started reports whether a test has started the replaceable environment.
var started atomic.Bool

// start starts the control plane and all controllers but the provider.
func (e *environment) start(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if e.ControlPlane, err = controlplane.Start(e.ctx, controlplane.Options{Dir: dir, Audit: true}); err != nil {
		return err
	}
	for _, start := range []func(context.Context) (*controlplane.Process, error){
		e.StartControllerManager,
		func(ctx context.Context) (*controlplane.Process, error) { return e.StartCore(ctx, core()) },
	} {
		p, err := start(e.ctx)
		if err != nil {
			return err
		}
		e.processes = append(e.processes, p)
	}
	return errors.Join(e.StartStandIn(e.ctx), e.InstallProvider(e.ctx))
}

// stop stops what runs, and then the control plane, which searches everything for secrets.
func (e *environment) stop() (err error) {
	if e.foreign != nil {
		e.processes = append(e.processes, e.foreign)
	}
	if e.provider != nil {
		err = e.provider.Stop()
	}
	for _, p := range slices.Backward(e.processes) {
		err = errors.Join(err, p.Stop())
	}
	if e.ControlPlane != nil {
		err = errors.Join(err, e.ControlPlane.Stop())
	}
	return err
}
