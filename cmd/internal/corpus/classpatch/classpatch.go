// Package classpatch applies the inline patches of ClusterClasses to the templates of machines, with the code of
// Cluster API.
package classpatch

import (
	"context"
	"encoding/json"
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	runtimehooksv1 "sigs.k8s.io/cluster-api/api/runtime/hooks/v1alpha1"
	"sigs.k8s.io/cluster-api/core/reconcilers/topology/cluster/patches/inline"
	"sigs.k8s.io/yaml"
)

// Use is how a ClusterClass uses a template.
type Use struct {
	// Class and Template are the indexes of the documents.
	Class, Template int
	// Workers is the name of the class of workers, or empty for the control plane. Pool is set for a class of pools.
	Workers string
	Pool    bool
	// Forced is the index of a patch that is enabled whatever its condition is, or -1.
	Forced int
	// Patch is the name of this patch.
	Patch string
}

// class is the part of a ClusterClass that is read, of v1beta1 and of v1beta2.
type class struct {
	Kind string `json:"kind"`
	Spec struct {
		ControlPlane worker `json:"controlPlane"`
		Workers      struct {
			MachineDeployments []worker `json:"machineDeployments"`
			MachinePools       []worker `json:"machinePools"`
		} `json:"workers"`
		Variables []variable                    `json:"variables"`
		Patches   []clusterv1.ClusterClassPatch `json:"patches"`
	} `json:"spec"`
}

type worker struct {
	reference `json:",inline"`

	Class     string    `json:"class"`
	Bootstrap reference `json:"bootstrap"`
	// Template is that of v1beta1.
	Template struct {
		Bootstrap reference `json:"bootstrap"`
	} `json:"template"`
}

// reference is one of v1beta2 or of v1beta1.
type reference struct {
	TemplateRef name `json:"templateRef"`
	Ref         name `json:"ref"`
}

type name struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// names reports whether one of the references names the object.
func names(object unstructured.Unstructured, references ...reference) bool {
	want := name{object.GetKind(), object.GetName()}
	for _, r := range references {
		if r.TemplateRef == want || r.Ref == want {
			return true
		}
	}
	return false
}

// Uses returns how the ClusterClasses of a file use its templates: once with the patches that are enabled with the
// defaults of the variables, and once for each other patch.
func Uses(documents []string) []Use {
	var uses []Use
	for at, text := range documents {
		var c class
		if err := yaml.Unmarshal([]byte(text), &c); err != nil || c.Kind != "ClusterClass" {
			continue
		}
		for template, text := range documents {
			var object unstructured.Unstructured
			if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil || object.Object == nil {
				continue
			}
			for _, u := range c.uses(object) {
				u.Class, u.Template = at, template
				uses = append(uses, u.each(c)...)
			}
		}
	}
	return uses
}

// uses returns how the class uses the template.
func (c class) uses(template unstructured.Unstructured) []Use {
	var uses []Use
	if names(template, c.Spec.ControlPlane.reference) {
		uses = append(uses, Use{})
	}
	for _, w := range c.Spec.Workers.MachineDeployments {
		if names(template, w.Bootstrap, w.Template.Bootstrap) {
			uses = append(uses, Use{Workers: w.Class})
		}
	}
	for _, w := range c.Spec.Workers.MachinePools {
		if names(template, w.Bootstrap, w.Template.Bootstrap) {
			uses = append(uses, Use{Workers: w.Class, Pool: true})
		}
	}
	return uses
}

func (u Use) each(c class) []Use {
	u.Forced = -1
	uses := []Use{u}
	for i, p := range c.Spec.Patches {
		if p.External == nil {
			u.Forced, u.Patch = i, p.Name
			uses = append(uses, u)
		}
	}
	return uses
}

// Apply returns the template with the patches as YAML.
func Apply(ctx context.Context, documents []string, u Use) (string, error) {
	var c class
	if err := yaml.Unmarshal([]byte(documents[u.Class]), &c); err != nil {
		return "", err
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(documents[u.Template]), &object.Object); err != nil {
		return "", err
	}
	request, err := u.request(c, object)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(object)
	if err != nil {
		return "", err
	}
	for i, patch := range c.Spec.Patches {
		if patch.External != nil {
			continue
		}
		if i == u.Forced {
			patch.EnabledIf = ""
		}
		if text, err = apply(ctx, patch, request, text); err != nil {
			return "", fmt.Errorf("patch %s: %w", patch.Name, err)
		}
	}
	out, err := yaml.JSONToYAML(text)
	return string(out), err
}

func apply(
	ctx context.Context, patch clusterv1.ClusterClassPatch, request *runtimehooksv1.GeneratePatchesRequest, text []byte,
) ([]byte, error) {
	response, err := inline.NewGenerator(&patch).Generate(ctx, nil, request)
	if err != nil {
		return nil, err
	}
	for _, item := range response.Items {
		operations, err := jsonpatch.DecodePatch(item.Patch)
		if err != nil {
			return nil, err
		}
		if len(operations) == 0 {
			continue
		}
		if text, err = operations.Apply(text); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// request returns the template and the variables, as the topology controller passes them to patches.
func (u Use) request(c class, object runtime.Object) (*runtimehooksv1.GeneratePatchesRequest, error) {
	holder := runtimehooksv1.HolderReference{Kind: "Cluster", FieldPath: "spec.controlPlaneRef"}
	own := map[string]any{"controlPlane": builtins("plane", "")}
	if u.Workers != "" {
		holder = runtimehooksv1.HolderReference{
			Kind: "MachineDeployment", FieldPath: "spec.template.spec.bootstrap.configRef",
		}
		own = map[string]any{"machineDeployment": builtins("workers", u.Workers)}
		if u.Pool {
			holder.Kind = "MachinePool"
			own = map[string]any{"machinePool": builtins("workers", u.Workers)}
		}
	}
	request := &runtimehooksv1.GeneratePatchesRequest{}
	values := map[string]any{runtimehooksv1.BuiltinsName: map[string]any{"cluster": cluster()}}
	for _, v := range c.Spec.Variables {
		values[v.Name] = v.Schema.OpenAPIV3Schema.value()
		if u.Forced >= 0 && values[v.Name] == "" {
			// A patch with a condition is for values that are not empty.
			values[v.Name] = "value"
		}
	}
	var err error
	if request.Variables, err = variables(values); err != nil {
		return nil, err
	}
	item := runtimehooksv1.GeneratePatchesRequestItem{
		UID: "1", HolderReference: holder, Object: runtime.RawExtension{Object: object},
	}
	item.Variables, err = variables(map[string]any{runtimehooksv1.BuiltinsName: own})
	request.Items = append(request.Items, item)
	return request, err
}

// variables returns the values in the form of a request.
func variables(values map[string]any) ([]runtimehooksv1.Variable, error) {
	var out []runtimehooksv1.Variable
	for name, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		out = append(out, runtimehooksv1.Variable{Name: name, Value: apiextensionsv1.JSON{Raw: text}})
	}
	return out, nil
}
