package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodehost"
	"github.com/machineadm/machineadm/test/programs"
)

// controlPlaneName is the name of the control plane of config/samples/demo-nodes.yaml. The names of its machines start
// with it.
const controlPlaneName = "demo-control-plane"

// expectedNodes is how many machines config/samples/demo-nodes.yaml creates, and expectedPlanes how many of them are
// control plane machines.
const (
	expectedNodes  = 7
	expectedPlanes = 3
)

// nodes shows a cluster of real nodes, a rollout of its control plane, a machine that cannot join, and deletions.
func (d *demo) nodes(ctx context.Context, o options) error {
	n, err := d.prepareNodes(ctx, o)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		n.startHosts, n.startPlanes, n.join, n.showNodes, n.roll, n.fail, n.remove,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// nodesDemo is a demo with real nodes.
type nodesDemo struct {
	*demo
	machines *nodehost.Host
	virtual  *virtual
	// expected is the number of nodes, and patience limits how long a step may take.
	expected int
	patience time.Duration
	// kubectl is the path of kubectl.
	kubectl string
}

// prepareNodes starts the management cluster and, at the same time, creates what the machines boot from.
func (d *demo) prepareNodes(ctx context.Context, o options) (*nodesDemo, error) {
	n := &nodesDemo{
		demo: d, machines: newMachines(filepath.Join(d.out, "machines")),
		virtual: newVirtual(filepath.Join(d.out, "virtual"), o), expected: expectedNodes, patience: patience,
	}
	if o.virtual {
		n.expected, n.patience = expectedNodes+1, virtualPatience
	}
	if err := errors.Join(n.machines.Sweep(ctx, rootName), n.virtual.sweep(ctx)); err != nil {
		return nil, fmt.Errorf("end the machines of an earlier demo: %w", err)
	}
	if err := d.clear(); err != nil {
		return nil, err
	}
	prepared := make(chan error, 1)
	// The program is needed later. Its errors are reported then.
	go func() { _, _ = programs.Build(ctx, "machineadm-controller") }()
	go func() {
		prepared <- errors.Join(o.prepareMachines(ctx, n.machines), n.virtual.prepare(ctx, n.machines.Files()))
	}()
	err := d.startManagement(ctx)
	// The machines end after the manager that would create them again.
	if failed := <-prepared; err == nil {
		err = failed
	}
	d.stops = slices.Insert(d.stops, 0, n.machines.Close, n.virtual.close)
	if err != nil {
		return nil, err
	}
	n.kubectl, err = controlplane.Tool(ctx, "kubectl")
	return n, err
}

// startHosts starts the infrastructure provider.
func (n *nodesDemo) startHosts(ctx context.Context) error {
	n.print("starting the infrastructure provider machineadm-hosts")
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return err
	}
	if err := n.management.InstallHosts(ctx); err != nil {
		return err
	}
	manager, err := n.management.StartHostsProvider(ctx, program, append(n.machines.Flags(), n.virtual.flags()...)...)
	if err != nil {
		return err
	}
	n.atEnd(ctx, manager.Stop)
	return nil
}

// startPlanes starts the control plane provider.
func (n *nodesDemo) startPlanes(ctx context.Context) error {
	n.print("starting the control plane provider machineadm")
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return err
	}
	if err := n.management.InstallPlanes(ctx); err != nil {
		return err
	}
	manager, err := n.management.StartPlanesProvider(ctx, program)
	if err != nil {
		return err
	}
	n.atEnd(ctx, manager.Stop)
	return nil
}

// isPlane reports whether the row is that of a control plane machine.
func isPlane(r row) bool { return strings.HasPrefix(r.name, controlPlaneName+"-") }

// join creates the cluster and waits until all nodes are ready.
func (n *nodesDemo) join(ctx context.Context) error {
	if err := n.apply(ctx, "demo-nodes.yaml"); err != nil {
		return err
	}
	n.applied = true
	if err := n.follow(ctx, "the control plane did not start", func(rows []row) bool {
		return slices.ContainsFunc(rows, func(r row) bool {
			return isPlane(r) && (r.state == stateJoined || r.state == stateReady)
		})
	}); err != nil {
		return err
	}
	if err := n.writeKubeconfig(ctx); err != nil {
		return err
	}
	if err := n.run(ctx, "demo", "apply", "-f", sample("demo-pods.yaml")); err != nil {
		return err
	}
	if err := n.joinVirtual(ctx); err != nil {
		return err
	}
	if err := n.follow(ctx, "not all nodes were Ready", func(rows []row) bool {
		ready := 0
		for _, r := range rows {
			if r.state == stateReady {
				ready++
			}
		}
		return ready == n.expected
	}); err != nil {
		return err
	}
	n.print("all %d nodes are Ready", n.expected)
	return nil
}

// joinVirtual creates the worker on a virtual machine. The first machine has created the bridge.
func (n *nodesDemo) joinVirtual(ctx context.Context) error {
	if !n.virtual.virtual {
		return nil
	}
	if err := n.virtual.startDHCP(ctx); err != nil {
		return err
	}
	return n.apply(ctx, "demo-virtual.yaml", n.virtual.digests...)
}

// showNodes shows the nodes, and that a Pod answers on each.
func (n *nodesDemo) showNodes(ctx context.Context) error {
	n.hide()
	for _, args := range [][]string{
		{"demo", "get", "nodes"},
		{"demo", "get", "nodes", "-o", "custom-columns=NODE:.metadata.name,PROVIDER-ID:.spec.providerID"},
		{
			"management", "get", "machines", "-o", "custom-columns=MACHINE:.metadata.name,PHASE:.status.phase," +
				"NODE:.status.nodeRef.name,PROVIDER-ID:.spec.providerID",
		},
		{"demo", "rollout", "status", "daemonset/web"},
		{"demo", "get", "pods", "-l", "app=web", "-o", "wide"},
	} {
		if err := n.run(ctx, args[0], args[1:]...); err != nil {
			return err
		}
	}
	names, err := n.command(ctx, "demo", "get", "pods", "-l", "app=web", "-o", "name").Output()
	if err != nil {
		return fmt.Errorf("list Pods: %w", err)
	}
	for _, name := range strings.Fields(string(names)) {
		url := "/api/v1/namespaces/default/pods/" + strings.TrimPrefix(name, "pod/") + ":8080/proxy/"
		if err := n.run(ctx, "demo", "get", "--raw", url); err != nil {
			return err
		}
	}
	return nil
}

// roll replaces the machines of the control plane, one after the other.
func (n *nodesDemo) roll(ctx context.Context) error {
	n.print("a rollout of the control plane: each of its machines is replaced")
	rows, err := n.machineRows(ctx)
	if err != nil {
		return err
	}
	old := map[string]bool{}
	for _, r := range rows {
		old[r.name] = isPlane(r)
	}
	change := `{"spec":{"rollout":{"after":"` + time.Now().UTC().Format(time.RFC3339) + `"}}}`
	if err := n.run(ctx, "management", "patch", "machineadmcontrolplane", controlPlaneName, "--type=merge",
		"--patch="+change); err != nil {
		return err
	}
	if err := n.follow(ctx, "the machines of the control plane were not replaced", func(rows []row) bool {
		replaced := 0
		for _, r := range rows {
			if old[r.name] {
				return false
			}
			if isPlane(r) && r.state == stateReady {
				replaced++
			}
		}
		return replaced == expectedPlanes
	}); err != nil {
		return err
	}
	n.hide()
	return n.run(ctx, "management", "get", "machineadmcontrolplanes")
}

// fail shows why a machine does not join.
func (n *nodesDemo) fail(ctx context.Context) error {
	const name = "demo-duplicate"
	n.print("a machine that cannot join: its Node has the name of another one")
	if err := n.apply(ctx, "demo-failure.yaml"); err != nil {
		return err
	}
	if err := n.follow(ctx, "the machine that cannot join did not fail", func(rows []row) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return r.name == name && r.state == stateFailed })
	}); err != nil {
		return err
	}
	n.hide()
	return n.run(ctx, "management", "get", "machine", name, "-o",
		`jsonpath={.status.conditions[?(@.type=="InfrastructureReady")].message}{"\n"}`)
}

// remove deletes the machine that failed, and a worker of each driver.
func (n *nodesDemo) remove(ctx context.Context) error {
	commands := [][]string{
		{"delete", "--wait=false", "machine", "demo-duplicate"},
		{"scale", "machinedeployment", "demo-shell", "--replicas=0"},
	}
	if n.virtual.virtual {
		commands = append(commands, []string{"scale", "machinedeployment", "demo-virtual", "--replicas=0"})
	}
	n.print("deletion of %d machines", len(commands))
	for _, args := range commands {
		if err := n.run(ctx, "management", args...); err != nil {
			return err
		}
	}
	left := n.expected + 1 - len(commands)
	deleted := func(rows []row) bool { return len(rows) == left }
	if err := n.follow(ctx, "the machines were not deleted", deleted); err != nil {
		return err
	}
	n.hide()
	if err := n.run(ctx, "management", "get", "machines"); err != nil {
		return err
	}
	return n.run(ctx, "demo", "get", "nodes")
}

// follow shows the machines until the function returns true. The failure says what has not happened after patience.
func (n *nodesDemo) follow(ctx context.Context, failure string, done func([]row) bool) error {
	err := wait.PollUntilContextTimeout(ctx, pause, n.patience, true, func(ctx context.Context) (bool, error) {
		rows, err := n.machineRows(ctx)
		if err != nil {
			return false, err
		}
		n.show(rows)
		return done(rows), nil
	})
	if err != nil {
		return unfinished(failure, n.patience, err)
	}
	return nil
}

// unfinished returns the error of a step with what has not happened.
func unfinished(failure string, patience time.Duration, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s within %.0f minutes, which happens on a busy host", failure, patience.Minutes())
	}
	return fmt.Errorf("%s: %w", failure, err)
}

// writeKubeconfig writes the kubeconfig of the cluster, which Cluster API has created.
func (n *nodesDemo) writeKubeconfig(ctx context.Context) error {
	secret := &corev1.Secret{}
	key := client.ObjectKey{Namespace: "default", Name: "demo-kubeconfig"}
	if err := n.management.Client.Get(ctx, key, secret); err != nil {
		return fmt.Errorf("read the kubeconfig of the cluster: %w", err)
	}
	return os.WriteFile(n.kubeconfig("demo"), secret.Data["value"], 0o600)
}

func (n *nodesDemo) kubeconfig(cluster string) string {
	return filepath.Join(n.out, cluster+".kubeconfig")
}

// run prints a command of kubectl and runs it.
func (n *nodesDemo) run(ctx context.Context, cluster string, args ...string) error {
	n.print("$ kubectl --kubeconfig %s %s", relative(n.kubeconfig(cluster)), quoted(args))
	ctx, cancel := context.WithTimeout(ctx, n.patience)
	defer cancel()
	output, err := n.command(ctx, cluster, args...).CombinedOutput()
	n.write(output)
	if err != nil {
		return unfinished(fmt.Sprintf("kubectl %s did not succeed", args[0]), n.patience, cmp.Or(ctx.Err(), err))
	}
	return nil
}

func (n *nodesDemo) command(ctx context.Context, cluster string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, n.kubectl, append([]string{"--kubeconfig", n.kubeconfig(cluster)}, args...)...)
	command.WaitDelay = time.Second
	return command
}

// sample returns the path of a file of config/samples.
func sample(name string) string {
	return relative(filepath.Join(programs.Root(), "config", "samples", name))
}

// relative returns the path relative to the working directory, if it is below it.
func relative(path string) string {
	directory, err := os.Getwd()
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(directory, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}

// quoted returns arguments as a user types them in a shell.
func quoted(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if words[i] = a; strings.ContainsAny(a, ` "{}[]()?\`) {
			words[i] = "'" + a + "'"
		}
	}
	return strings.Join(words, " ")
}
