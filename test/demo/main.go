// Command demo shows the project with real parts: a management cluster on loopback, and a cluster whose machines are
// namespaces of this host. Without root, the machines only get their bootstrap data. It stops everything that it
// started, also if it fails.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

func main() {
	// The hosts of -ssh are machines of this program.
	if code, requested := namespace.Main(os.Args); requested {
		os.Exit(code)
	}
	out := flag.String("out", "demo", "directory for the files of the demo")
	pod := flag.String("pod", "bin/demo-pod", "the program of the Pods")
	kind := flag.String("demo", "", `"qemu" adds a worker on a virtual machine, and "ssh" starts hosts with SSH servers `+
		"for docs/guides/ssh-hosts.md, and no cluster")
	image := flag.String("image", "", "the disk image of Flatcar for qemu; a near-stock image is built if it is empty")
	keep := flag.Bool("keep", false, "leave the clusters running until interrupted")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	o := options{out: *out, pod: *pod, image: *image, keep: *keep}
	err := o.choose(*kind)
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	out, pod, image string
	// A demo with ssh is kept.
	virtual, ssh, keep bool
}

// choose sets the demo that the variable DEMO of the Makefile selects.
func (o *options) choose(kind string) error {
	switch kind {
	case "":
	case "qemu":
		o.virtual = true
	case "ssh":
		o.ssh, o.keep = true, true
	default:
		return fmt.Errorf("DEMO=%s: unknown demo; use DEMO=ssh, DEMO=qemu or no DEMO", kind)
	}
	if o.image != "" && !o.virtual {
		return fmt.Errorf("IMAGE=%s: only DEMO=qemu boots an image; add DEMO=qemu or omit IMAGE", o.image)
	}
	return nil
}

// command returns the command that starts this demo.
func (o *options) command() string {
	words := []string{"make", "demo"}
	switch {
	case o.ssh:
		return "make demo DEMO=ssh"
	case o.virtual:
		words = append(words, "DEMO=qemu")
	}
	if o.image != "" {
		words = append(words, "IMAGE="+o.image)
	}
	if o.keep {
		words = append(words, "KEEP=1")
	}
	return quoted(words)
}

// demo is a running demo.
type demo struct {
	*screen
	// out is the directory for the files of the demo.
	out        string
	management *controlplane.ControlPlane
	// applied means that the cluster is in the management cluster: with keep, it runs on if a later step fails.
	applied bool
	// stops end what was started.
	stops []func() error
}

func run(ctx context.Context, o options) (err error) {
	out, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	d := &demo{screen: newScreen(os.Stdout), out: out}
	defer func() { err = errors.Join(err, d.stop()) }()
	err = d.start(ctx, o)
	if ctx.Err() != nil || !d.runsOn(o, err) {
		return interrupted(ctx, err)
	}
	if err != nil {
		d.print("%s: %s", failedStep, err)
	}
	d.print("the clusters are still running; try the commands above; end with Ctrl-C")
	err = errors.Join(err, watch(ctx, 10*time.Second, d.responds))
	d.print("ending the clusters")
	return err
}

// failedStep begins the message of a step that has failed while the clusters run on.
const failedStep = "a step failed"

// runsOn reports whether the clusters run until the user ends them, although a step may have failed.
func (d *demo) runsOn(o options, err error) bool { return o.keep && (err == nil || d.applied) }

// maxFailures is how often in a row the management cluster may not respond.
const maxFailures = 3

// watch waits for Ctrl-C. It returns an error if the management cluster, which ask calls, stops to respond before.
func watch(ctx context.Context, interval time.Duration, ask func(context.Context) error) error {
	for failures := 0; failures < maxFailures && ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-time.After(interval):
		}
		failures++
		if ask(ctx) == nil {
			failures = 0
		}
	}
	select {
	case <-ctx.Done():
		return nil
	default:
		return errors.New("the management cluster does not respond, so that the demo ends; start it again")
	}
}

// responds returns an error if the API server of the management cluster, or its etcd, does not respond.
func (d *demo) responds(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return d.management.Client.Get(ctx, client.ObjectKey{Name: "default"}, &corev1.Namespace{})
}

// interrupted returns an error for the user who pressed Ctrl-C, in place of the one of the step that it ended.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted; everything that it started has ended")
	}
	return err
}

// start shows what this host allows.
func (d *demo) start(ctx context.Context, o options) error {
	missing := missing(filepath.Dir(d.out), o.command())
	if len(missing) == 0 {
		if err := d.onlyOne(ctx, socket); err != nil {
			return err
		}
		if err := freeNetwork(); err != nil {
			return err
		}
		if o.ssh {
			return d.sshHosts(ctx, o)
		}
		return d.nodes(ctx, o)
	}
	d.print("machines in namespaces need what is missing here:")
	for _, m := range missing {
		d.print("- %s", m)
	}
	if o.ssh {
		return errors.New("this host cannot run hosts in namespaces")
	}
	d.print("this demo shows the rest: machines that get their bootstrap data")
	return d.data(ctx)
}

// socket is an abstract socket, which exists once in a network, and no longer than the process that listens.
const socket = "@machineadm-demo"

// onlyOne returns an error if another demo listens at the socket: they have the same bridge and addresses.
func (d *demo) onlyOne(ctx context.Context, socket string) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "unix", socket)
	if errors.Is(err, syscall.EADDRINUSE) {
		return errors.New("another demo runs on this host; end it with Ctrl-C in its terminal")
	}
	if err != nil {
		return err
	}
	d.stops = append(d.stops, listener.Close)
	return nil
}

// clear creates an empty directory for the files of the demo.
func (d *demo) clear() error {
	if err := os.RemoveAll(d.out); err != nil {
		return err
	}
	return os.MkdirAll(d.out, 0o700)
}

// stop stops what was started, in the opposite order.
func (d *demo) stop() error {
	var errs []error
	for i := len(d.stops) - 1; i >= 0; i-- {
		errs = append(errs, d.stops[i]())
	}
	return errors.Join(errs...)
}

// atEnd adds a function that stop calls. Its error is ignored after an interrupt, which ends the servers, too.
func (d *demo) atEnd(ctx context.Context, stop func() error) {
	d.stops = append(d.stops, func() error {
		if err := stop(); ctx.Err() == nil {
			return err
		}
		return nil
	})
}

// startManagement starts the management cluster with the bootstrap provider.
func (d *demo) startManagement(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "machineadm-demo-")
	if err != nil {
		return err
	}
	d.atEnd(ctx, func() error { return os.RemoveAll(dir) })
	d.print("starting etcd and kube-apiserver, which are built first if necessary")
	if d.management, err = controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true}); err != nil {
		return err
	}
	d.atEnd(ctx, d.management.Stop)
	for _, part := range []struct {
		name  string
		start func(context.Context) (*controlplane.Process, error)
	}{
		{"kube-controller-manager", d.management.StartControllerManager},
		{"the core manager of Cluster API", func(ctx context.Context) (*controlplane.Process, error) {
			return d.management.StartCore(ctx, controlplane.Core114())
		}},
		{"the bootstrap provider machineadm", d.startBootstrap},
	} {
		d.print("starting %s", part.name)
		process, err := part.start(ctx)
		if err != nil {
			return err
		}
		d.atEnd(ctx, process.Stop)
	}
	return d.management.WriteKubeconfig(filepath.Join(d.out, "management.kubeconfig"))
}

func (d *demo) startBootstrap(ctx context.Context) (*controlplane.Process, error) {
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return nil, err
	}
	if err := d.management.InstallProvider(ctx); err != nil {
		return nil, err
	}
	provider, err := d.management.StartProvider(ctx, program)
	if err != nil {
		return nil, err
	}
	return provider.Process, nil
}

// apply applies a file of config/samples. The replacements are pairs of an old and a new text.
func (d *demo) apply(ctx context.Context, name string, replacements ...string) error {
	text, err := os.ReadFile(sample(name))
	if err != nil {
		return err
	}
	manifests := strings.NewReplacer(replacements...).Replace(string(text))
	objects, err := controlplane.Decode(strings.NewReader(manifests))
	if err != nil {
		return err
	}
	d.print("applying %d objects of config/samples/%s", len(objects), name)
	return d.management.Apply(ctx, objects...)
}
