// Package readers reads bootstrap objects as versions of the core do that the tests do not run: by the labels, paths
// and conditions of the contract, without any Go type of the objects. What such a core would refuse, or would take for
// nothing, is an error here.
//
// The rules are those of the bootstrap provider contract (v1beta1 and v1beta2) and of the machine controllers of core
// 1.7 and 1.13.
package readers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/cluster-api/util/contract"
)

const (
	clusterGroup    = "cluster.x-k8s.io"
	contractV1Beta1 = "v1beta1"
	contractV1Beta2 = "v1beta2"
	templateSuffix  = "Template"
)

// Core is a version of the core, as a reader.
type Core struct {
	// Name is the version, for people.
	Name string

	// contracts are the versions of the contract that it reads, the one that it likes best first.
	contracts []string
	// pausedByObject reports that it does not read a config with the annotation that pauses objects.
	pausedByObject bool
	// templateRequired reports that it clones no template without spec.template.
	templateRequired bool
	// ready reads the condition Ready, and makes one up if there is none.
	ready func(config *unstructured.Unstructured, created bool) (Condition, error)
}

// Core17 reads as core 1.7 does: contract v1beta1 only.
func Core17() Core {
	return Core{
		Name: "1.7", contracts: []string{contractV1Beta1}, pausedByObject: true, templateRequired: true, ready: readyV1Beta1,
	}
}

// Core113 reads as core 1.13 does: contract v1beta2, and v1beta1 where a CRD knows no other.
func Core113() Core {
	return Core{Name: "1.13", contracts: []string{contractV1Beta2, contractV1Beta1}, ready: readyV1Beta2}
}

// Reference is how a core reads the objects of a kind.
type Reference struct {
	// Contract is the version of the contract by which it reads.
	Contract string
	// Kind is the kind in the version that it asks the API server for.
	Kind schema.GroupVersionKind
}

// Reference finds the kind's CRD by its name among all, and chooses contract and version by its labels.
func (c Core) Reference(crds []unstructured.Unstructured, kind schema.GroupKind) (Reference, error) {
	name := contract.CalculateCRDName(kind.Group, kind.Kind)
	i := slices.IndexFunc(crds, func(crd unstructured.Unstructured) bool { return crd.GetName() == name })
	if i < 0 {
		return Reference{}, fmt.Errorf("there is no CRD %s", name)
	}
	crd := crds[i]
	if scope, _, _ := unstructured.NestedString(crd.Object, "spec", "scope"); scope != "Namespaced" {
		return Reference{}, fmt.Errorf("%s: scope %q", name, scope)
	}
	for _, wanted := range c.contracts {
		versions := crd.GetLabels()[clusterGroup+"/"+wanted]
		if versions == "" {
			continue
		}
		newest := slices.MaxFunc(strings.Split(versions, "_"), version.CompareKubeAwareVersionStrings)
		if !served(crd, newest) {
			return Reference{}, fmt.Errorf("%s: contract %s names version %q, which is not served", name, wanted, newest)
		}
		return Reference{Contract: wanted, Kind: kind.WithVersion(newest)}, nil
	}
	return Reference{}, fmt.Errorf("%s: no label for contract %s", name, strings.Join(c.contracts, " or "))
}

func served(crd unstructured.Unstructured, name string) bool {
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	return slices.ContainsFunc(versions, func(v any) bool {
		fields, _ := v.(map[string]any)
		return fields["name"] == name && fields["served"] == true
	})
}

// Reading is what a core learns from a config.
type Reading struct {
	// Paused reports that the other fields were not read.
	Paused bool
	// Created reports that the data Secret exists, and Secret is its name.
	Created bool
	Secret  string
	// FailureReason and FailureMessage end the Machine for core 1.10 and older.
	FailureReason, FailureMessage string
	// Ready is what the Machine's condition about its bootstrap data becomes.
	Ready Condition
}

// Config reads a config by a version of the contract, in the order of the machine controller.
func (c Core) Config(by Reference, config *unstructured.Unstructured) (r Reading, err error) {
	if got := config.GroupVersionKind(); got != by.Kind {
		return r, fmt.Errorf("%s is not %s", got, by.Kind)
	}
	if _, paused := config.GetAnnotations()[clusterGroup+"/paused"]; paused && c.pausedByObject {
		return Reading{Paused: true}, nil
	}
	fields := fieldReader{object: config.Object}
	r.FailureReason, r.FailureMessage = fields.text("status", "failureReason"), fields.text("status", "failureMessage")
	r.Created = fields.boolean(createdPath(by.Contract)...)
	r.Secret = fields.text("status", "dataSecretName")
	if r.Created && r.Secret == "" {
		fields.fail("the data Secret is there and has no name")
	}
	ready, err := c.ready(config, r.Created)
	r.Ready = ready
	return r, errors.Join(append(fields.errors, owned(config), err)...)
}

// createdPath is the path of the field that reports whether the data Secret exists.
func createdPath(by string) []string {
	if by == contractV1Beta1 {
		return []string{"status", "ready"}
	}
	return []string{"status", "initialization", "dataSecretCreated"}
}

// owned finds a controller that keeps the core from making the Machine the controller.
func owned(config *unstructured.Unstructured) error {
	for _, owner := range config.GetOwnerReferences() {
		group, _ := schema.ParseGroupVersion(owner.APIVersion)
		if owner.Controller == nil || !*owner.Controller {
			continue
		}
		if group.Group != clusterGroup || !slices.Contains([]string{"Machine", "MachinePool", "MachineSet"}, owner.Kind) {
			return fmt.Errorf("it belongs to %s %s", owner.Kind, owner.Name)
		}
	}
	return nil
}

// Clone makes the config of a Machine of a MachineSet from a template.
func (c Core) Clone(by Reference, template *unstructured.Unstructured, name,
	cluster string,
) (*unstructured.Unstructured, error) {
	kind, found := strings.CutSuffix(by.Kind.Kind, templateSuffix)
	if got := template.GroupVersionKind(); got != by.Kind || !found {
		return nil, fmt.Errorf("%s is no %s", got, by.Kind)
	}
	object, found, err := unstructured.NestedMap(template.Object, "spec", "template")
	if err != nil || !found && c.templateRequired {
		return nil, errors.Join(errors.New("there is no spec.template"), err)
	}
	clone := &unstructured.Unstructured{Object: object}
	if clone.Object == nil {
		clone.Object = map[string]any{}
	}
	clone.SetGroupVersionKind(by.Kind.GroupVersion().WithKind(kind))
	clone.SetNamespace(template.GetNamespace())
	clone.SetName(name)
	labels := clone.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[clusterGroup+"/cluster-name"] = cluster
	clone.SetLabels(labels)
	return clone, nil
}

// fieldReader reads fields that may be missing, and collects those of another type than the contract's.
type fieldReader struct {
	object map[string]any
	errors []error
}

func (f *fieldReader) fail(text string) { f.errors = append(f.errors, errors.New(text)) }

func (f *fieldReader) text(path ...string) string {
	value, _, err := unstructured.NestedString(f.object, path...)
	if err != nil {
		f.errors = append(f.errors, err)
	}
	return value
}

func (f *fieldReader) boolean(path ...string) bool {
	value, _, err := unstructured.NestedBool(f.object, path...)
	if err != nil {
		f.errors = append(f.errors, err)
	}
	return value
}
