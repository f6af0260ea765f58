package machineadm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/corpus/kubeadm"
	"github.com/machineadm/machineadm/cmd/internal/corpus/meaning"
)

// Renderer renders manifests with the commands of machineadmctl.
type Renderer struct{ service *render.Service }

// New returns a renderer for all formats.
func New() (*Renderer, error) {
	s, err := render.New(append(formats.Builtin(), renderer{}), plugins.Builtin(), render.WithWrapper(envelope.Wrapper{}),
		render.WithCodec(codec.Codec{}))
	return &Renderer{s}, err
}

// Request is a machine to render.
type Request struct {
	// Object is a converted object as YAML: a config, a control plane, or the template of one of them.
	Object string
	World  *kubeadm.World
	Role   kubeadm.Role
	// Infrastructure is the kind of the infrastructure machine, or empty if it is not known.
	Infrastructure string
}

// Finding is a finding of machineadmctl.
type Finding struct {
	Severity, Path, Message, Remedy string
}

// Result is what the renderer finds and renders.
type Result struct {
	// Meaning is that of the plan.
	Meaning meaning.Machine
	// Userdata is rendered in the format of the operating system, unless there are errors.
	Userdata string
	Findings []Finding
}

// Render renders the machine in the format of its operating system, and its meaning.
func (r *Renderer) Render(ctx context.Context, q Request) (Result, error) {
	manifests, name, err := q.manifests()
	if err != nil {
		return Result{}, err
	}
	flags := []string{"-f", "-", "--machine", name, "--kubernetes-version", q.World.KubernetesVersion}
	if q.Infrastructure != "" {
		flags = append(flags, "--infrastructure", q.Infrastructure)
	}
	var out Result
	text, problem := r.run(ctx, manifests, append([]string{"validate", "-o", "json"}, flags...))
	if err := json.Unmarshal([]byte(text), &out.Findings); err != nil {
		return out, fmt.Errorf("machineadmctl validate: %s", strings.TrimSpace(problem))
	}
	for _, f := range out.Findings {
		if f.Severity == "error" {
			return out, nil
		}
	}
	out.Userdata, _ = r.run(ctx, manifests, append([]string{"render"}, flags...))
	text, problem = r.run(ctx, manifests, append([]string{"render", "--format", string(meaningFormat)}, flags...))
	if text == "" {
		// Some infrastructure delivers one format only.
		other := infrastructureKind.ReplaceAllString(manifests, "${1}ExampleMachineTemplate")
		text, problem = r.run(ctx, other, append([]string{"render", "--format", string(meaningFormat)}, flags[:6]...))
	}
	if err := json.Unmarshal([]byte(text), &out.Meaning); err != nil {
		return out, fmt.Errorf("machineadmctl render: %s", strings.TrimSpace(problem))
	}
	if strings.HasPrefix(out.Userdata, "{") {
		if m, err := meaning.Ignition([]byte(out.Userdata)); err == nil {
			out.Meaning.AddMissing(m)
		}
	}
	return out, nil
}

// infrastructureKind matches the kind of a control plane's infrastructure.
var infrastructureKind = regexp.MustCompile(`(kind: )\w+MachineTemplate\b`)

// run runs a command and returns its output and its errors.
func (r *Renderer) run(ctx context.Context, in string, args []string) (out, errs string) {
	var stdout, stderr bytes.Buffer
	cli.Run(ctx, cli.Options{
		Render: r.service, Codec: codec.Codec{}, Clock: clock{}, Version: cli.Version{Version: "corpus"},
		In: strings.NewReader(in), Out: &stdout, Err: &stderr,
	}, args)
	return stdout.String(), stderr.String()
}

type clock struct{}

// Now returns a constant time.
func (clock) Now() time.Time { return time.Unix(0, 0) }

// manifests returns the objects of the cluster and the machine's, and the name of the machine.
func (q Request) manifests() (text, name string, err error) {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(q.Object), &object); err != nil {
		return "", "", fmt.Errorf("the converted object is not YAML: %w", err)
	}
	object["metadata"] = map[string]any{
		"name": "machine", "namespace": kubeadm.Namespace, "labels": q.labels(),
	}
	kind, _ := object["kind"].(string)
	spec, _ := object["spec"].(map[string]any)
	if kind == "MachineadmControlPlane" && spec != nil {
		spec["version"] = q.World.KubernetesVersion
		addInfrastructure(spec)
	}
	objects := []any{q.cluster()}
	for i := range q.World.Secrets {
		s := q.World.Secrets[i]
		s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}
		objects = append(objects, s)
	}
	if q.Role == kubeadm.JoinControlPlane {
		objects = append(objects, first(q)...)
	}
	var b strings.Builder
	for _, o := range append(objects, object) {
		document, err := yaml.Marshal(o)
		if err != nil {
			return "", "", err
		}
		b.WriteString("---\n" + string(document))
	}
	return b.String(), "machine", nil
}

// addInfrastructure completes the reference to the template of machines. Templates and patches of control planes have
// none, and the names of others are variables.
func addInfrastructure(spec map[string]any) {
	place := spec
	for _, key := range []string{"machineTemplate", "spec", "infrastructureRef"} {
		below, ok := place[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			place[key] = below
		}
		place = below
	}
	place["name"] = "machine"
	for key, value := range map[string]string{
		"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "GenericMachineTemplate",
	} {
		if text, _ := place[key].(string); text == "" {
			place[key] = value
		}
	}
}

func (q Request) labels() map[string]string {
	labels := map[string]string{clusterv1.ClusterNameLabel: kubeadm.ClusterName}
	if q.Role != kubeadm.JoinWorker {
		labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	return labels
}

// cluster returns the Cluster. A worker joins one whose control plane is managed and initialized.
func (q Request) cluster() *clusterv1.Cluster {
	c := q.World.Cluster()
	c.Status = clusterv1.ClusterStatus{}
	c.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "GenericCluster", Name: "machine",
	}
	if q.Role == kubeadm.JoinWorker {
		c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
			APIGroup: "controlplane.cluster.x-k8s.io", Kind: "KubeadmControlPlane", Name: "control-plane",
		}
	}
	return c
}

// first returns the machine that initialized the cluster of a joining control plane machine.
func first(q Request) []any {
	meta := map[string]any{"name": "first", "namespace": kubeadm.Namespace, "labels": q.labels()}
	return []any{
		map[string]any{
			"apiVersion": clusterv1.GroupVersion.String(), "kind": "Machine", "metadata": meta,
			"spec": map[string]any{
				"clusterName": kubeadm.ClusterName, "version": q.World.KubernetesVersion,
				"infrastructureRef": map[string]any{
					"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "GenericMachine", "name": "first",
				},
				"bootstrap": map[string]any{"configRef": map[string]any{
					"apiGroup": "bootstrap.machineadm.io", "kind": "MachineBootstrapConfig", "name": "first",
				}},
			},
		},
		map[string]any{
			"apiVersion": "bootstrap.machineadm.io/v1alpha1", "kind": "MachineBootstrapConfig", "metadata": meta,
			"spec": map[string]any{"os": map[string]any{"distribution": "ubuntu"}},
		},
	}
}
