package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/cmd/internal/corpus/kubeadm"
	"github.com/machineadm/machineadm/cmd/internal/corpus/machineadm"
	"github.com/machineadm/machineadm/cmd/internal/corpus/meaning"
	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
)

// comparer converts specs and compares what the two providers render.
type comparer struct {
	world    *kubeadm.World
	renderer *machineadm.Renderer
}

func newComparer() (*comparer, error) {
	world, err := kubeadm.NewWorld(specs.Version)
	if err != nil {
		return nil, err
	}
	renderer, err := machineadm.New()
	return &comparer{world, renderer}, err
}

// outcome is the comparison of one spec.
type outcome struct {
	specs.Spec

	// Infrastructure is the kind of the infrastructure machine, or empty if the file does not contain it.
	Infrastructure string `json:",omitempty"`
	// Distribution is the operating system of the converted spec.
	Distribution string `json:",omitempty"`
	// Refused is why the kubeadm provider renders nothing.
	Refused string `json:",omitempty"`
	// Problems are errors of the conversion and of rendering.
	Problems []string `json:",omitempty"`
	// Report is that of the conversion, and Findings are those of rendering.
	Report   []migrate.Line       `json:",omitempty"`
	Findings []machineadm.Finding `json:",omitempty"`
	// Differences are those that no rule explains, and Explained those that one does.
	Differences []difference `json:",omitempty"`
	Explained   []difference `json:",omitempty"`
	// Traps are texts of the converted machine that fail or have no effect there.
	Traps []trap `json:",omitempty"`
}

// compare converts and compares one spec.
func (c *comparer) compare(ctx context.Context, s specs.Spec) outcome {
	out := outcome{Spec: s}
	source, converted, err := c.convert(ctx, s, &out)
	if err != nil {
		out.Problems = append(out.Problems, err.Error())
		return out
	}
	hub, err := kubeadm.Decode(ctx, s.Version, source)
	if err != nil {
		out.Refused = err.Error()
		return out
	}
	managed := s.Kind == "KubeadmControlPlane" || s.Kind == "KubeadmControlPlaneTemplate"
	if err := kubeadm.Validate(hub, managed); err != nil {
		out.Refused = err.Error()
		return out
	}
	world := c.world.With(kubeadm.Referred(hub))
	for _, role := range roles(s.Kind, hub) {
		theirs, err := world.Render(ctx, hub, role, managed)
		if err != nil {
			out.Refused = fmt.Sprintf("%s: %v", role, err)
			return out
		}
		ours, err := c.renderer.Render(ctx, machineadm.Request{
			Object: converted, World: world, Role: role, Infrastructure: out.Infrastructure,
		})
		out.addFindings(ours.Findings)
		if err != nil {
			out.Problems = append(out.Problems, fmt.Sprintf("%s: %v", role, err))
			continue
		}
		if ours.Meaning.Values == nil {
			continue
		}
		out.add(role, theirs, ours)
	}
	return out
}

// add adds the differences of a machine. A difference of several roles is added once.
func (o *outcome) add(role kubeadm.Role, theirs kubeadm.Rendered, ours machineadm.Result) {
	decode := meaning.CloudConfig
	if theirs.Format == "ignition" {
		decode = meaning.Ignition
	}
	machine, err := decode(theirs.Data)
	if err != nil {
		o.Refused = fmt.Sprintf("%s: %v", role, err)
		return
	}
	for _, d := range meaning.Compare(machine, ours.Meaning) {
		classified := classify(d)
		list := &o.Explained
		if classified.Reason == "" {
			list = &o.Differences
		}
		if !slices.Contains(*list, classified) {
			*list = append(*list, classified)
		}
	}
	for _, t := range traps(ours.Meaning) {
		if !slices.Contains(o.Traps, t) {
			o.Traps = append(o.Traps, t)
		}
	}
}

func (o *outcome) addFindings(found []machineadm.Finding) {
	for _, f := range found {
		if f.Severity != "info" && !slices.Contains(o.Findings, f) {
			o.Findings = append(o.Findings, f)
		}
	}
}

// convert returns the spec as JSON, with values for variables, and the converted object.
func (c *comparer) convert(ctx context.Context, s specs.Spec, out *outcome) ([]byte, string, error) {
	before := specs.Documents(s.File)
	result, err := migrate.Convert(ctx, []byte(s.File), migrate.Options{})
	if err != nil {
		return nil, "", fmt.Errorf("convert: %w", err)
	}
	after := specs.Documents(string(result.Manifests))
	if len(before) != len(after) {
		return nil, "", fmt.Errorf("convert: %d documents became %d", len(before), len(after))
	}
	out.Infrastructure = specs.Infrastructure(s)
	for _, l := range result.Report {
		switch {
		case before[s.Index].Contains(l.Line):
			out.Report = append(out.Report, l)
		case s.Use != nil && before[s.Use.Class].Contains(l.Line):
			l.Field = patchField(before[s.Use.Class].Text, l.Field)
			out.Report = append(out.Report, l)
		}
	}
	converted, err := s.Object(ctx, string(result.Manifests))
	if err != nil {
		return nil, "", fmt.Errorf("convert: %w", err)
	}
	out.Distribution = distribution(converted)
	source, err := s.JSON(ctx)
	return source, converted, err
}

// patch matches the path of a JSON patch in a ClusterClass.
var patch = regexp.MustCompile(`^spec\.patches\[(\d+)\]\.definitions\[(\d+)\]\.jsonPatches\[(\d+)\]`)

// patchField returns the path of a line about a ClusterClass, followed by the path that its JSON patch names.
func patchField(class, field string) string {
	match := patch.FindStringSubmatch(field)
	if match == nil {
		return field
	}
	var at any
	if err := yaml.Unmarshal([]byte(class), &at); err != nil {
		return field
	}
	at = element(at, "spec", "patches", match[1], "definitions", match[2], "jsonPatches", match[3], "path")
	pointer, _ := at.(string)
	return field + " " + strings.ReplaceAll(pointer, "/", ".")
}

// element returns the value at the names and indexes below a value, or nil.
func element(at any, names ...string) any {
	for _, name := range names {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// roles returns the roles of the machines that a spec is for.
func roles(kind string, spec *bootstrapv1.KubeadmConfigSpec) []kubeadm.Role {
	switch {
	case kind == "KubeadmControlPlane" || kind == "KubeadmControlPlaneTemplate":
		return []kubeadm.Role{kubeadm.Init, kubeadm.JoinControlPlane}
	case spec.JoinConfiguration.ControlPlane != nil:
		return []kubeadm.Role{kubeadm.JoinControlPlane}
	case kind == "KubeadmConfig" && (spec.InitConfiguration.IsDefined() || spec.ClusterConfiguration.IsDefined()):
		return []kubeadm.Role{kubeadm.Init}
	default:
		return []kubeadm.Role{kubeadm.JoinWorker}
	}
}

// distribution returns the operating system of a converted object.
func distribution(object string) string {
	var tree any
	if err := yaml.Unmarshal([]byte(object), &tree); err != nil {
		return ""
	}
	return find(tree)
}

// find returns the first distribution of a tree.
func find(tree any) string {
	fields, ok := tree.(map[string]any)
	if !ok {
		return ""
	}
	if system, ok := fields["os"].(map[string]any); ok {
		text, _ := json.Marshal(system["distribution"])
		version, _ := json.Marshal(system["version"])
		return string(text) + ":" + string(version)
	}
	for _, key := range []string{"spec", "template", "bootstrap", "machineBootstrap"} {
		if found := find(fields[key]); found != "" {
			return found
		}
	}
	return ""
}
