// Package specs finds the KubeadmConfigSpecs in the manifests of git repositories.
package specs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/cmd/internal/corpus/classpatch"
)

// Spec is a KubeadmConfigSpec in a file.
type Spec struct {
	Repository, Commit, Path string
	// Line is that of the document in the file, from 1. In the result of a kustomization, it is the line of the result.
	Line int
	// Source is how the spec is published.
	Source Source
	// Use is how a ClusterClass uses the object, if the spec is that of the object with the patches of the class.
	Use *classpatch.Use `json:",omitempty"`
	// Kind, Version and Name are those of the object, such as KubeadmConfigTemplate, v1beta1 and ${CLUSTER_NAME}-md-0.
	Kind, Version, Name string
	// File is the content of the file, in which the object may refer to others, and Index is the object's document in it.
	File  string `json:"-"`
	Index int    `json:"-"`
	// Substituted is set if the file is YAML only after its variables have values. File contains them.
	Substituted bool `json:",omitempty"`
	// Digest is that of the meaning of the spec: it does not depend on comments, quotes and the order of keys.
	Digest string
}

// Skipped is a document that looks like a KubeadmConfigSpec but contains none that the kubeadm provider reads.
type Skipped struct {
	Repository, Commit, Path string
	Line                     int
	Reason                   string
}

// Found is what the repositories contain.
type Found struct {
	Specs   []Spec
	Skipped []Skipped
}

// kind matches the line that makes a document an object with a KubeadmConfigSpec.
var kind = regexp.MustCompile(
	`(?m)^[ \t]*["']?kind["']?:[ \t]*["']?Kubeadm(Config|ControlPlane)(Template)?["']?,?[ \t]*(?:#.*)?$`)

// groups are the API groups of the kinds.
const (
	bootstrapGroup    = "bootstrap.cluster.x-k8s.io"
	controlPlaneGroup = "controlplane.cluster.x-k8s.io"
)

// Find returns the specs of a repository in the order of their paths.
func Find(ctx context.Context, r Repository) (Found, error) {
	var found Found
	paths, err := r.Files(ctx, ".yaml", ".yml", ".json", ".tpl", ".tmpl", ".md")
	if err != nil {
		return found, err
	}
	err = r.Read(ctx, paths, func(p string, content []byte) error {
		found.add(ctx, r, p, string(content))
		return nil
	})
	if err != nil {
		return found, err
	}
	return found, found.addKustomizations(ctx, r)
}

// InFile returns the specs of a file that is in no repository.
func InFile(ctx context.Context, path, content string) Found {
	var found Found
	found.add(ctx, Repository{}, path, content)
	return found
}

func (f *Found) add(ctx context.Context, r Repository, path, content string) {
	for _, text := range manifests(path, content) {
		f.addFile(ctx, Spec{
			Repository: r.Name, Commit: r.Commit, Path: path, Line: text.Line, File: text.Text, Source: FromFile,
		})
	}
}

// Part is a part of a file that begins at a line, from 1.
type Part struct {
	Text string
	Line int
}

// Lines returns the number of lines.
func (p Part) Lines() int { return 1 + strings.Count(p.Text, "\n") }

// Contains reports whether the part contains a line of the file.
func (p Part) Contains(line int) bool { return line >= p.Line && line < p.Line+p.Lines() }

// fence matches a block of YAML in a Markdown file.
// ellipsis matches a line of a document that stands for others.
var ellipsis = regexp.MustCompile(`(?m)^[ \t]*\.\.\.[ \t]*(?:#.*)?$`)

var fence = regexp.MustCompile("(?ms)^[ \t]*```[ \t]*(?:yaml|yml)[^\n]*\n(.*?)^[ \t]*```")

// manifests returns the text that is YAML: the file, or the blocks of a Markdown file.
func manifests(p, content string) []Part {
	if !kind.MatchString(content) {
		return nil
	}
	if !strings.HasSuffix(p, ".md") {
		return []Part{{content, 1}}
	}
	var blocks []Part
	for _, at := range fence.FindAllStringSubmatchIndex(content, -1) {
		block := ellipsis.ReplaceAllString(content[at[2]:at[3]], "")
		blocks = append(blocks, Part{block, 1 + strings.Count(content[:at[2]], "\n")})
	}
	return blocks
}

// separator matches the line between two YAML documents.
var separator = regexp.MustCompile(`(?m)^---(?:[ \t].*)?$`)

// Documents splits YAML at the lines between documents.
func Documents(text string) []Part { return documents(text, 1) }

func documents(text string, line int) []Part {
	var parts []Part
	start := 0
	for _, at := range append(separator.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		parts = append(parts, Part{text[start:at[0]], line + strings.Count(text[:start], "\n")})
		start = at[1]
	}
	return parts
}

func (f *Found) addFile(ctx context.Context, file Spec) {
	defer f.addPatched(ctx, file)
	for i, d := range documents(file.File, file.Line) {
		if !kind.MatchString(d.Text) {
			continue
		}
		spec := file
		spec.Line, spec.Index = d.Line, i
		reason := spec.read(d.Text)
		if values := Substitute(file.File); reason != "" && values != file.File {
			// Lists such as [${SERVERS}] are YAML only with the values of their variables.
			spec.File, spec.Substituted = values, true
			reason = spec.read(documents(values, 1)[i].Text)
		}
		switch reason {
		case "":
			f.Specs = append(f.Specs, spec)
		case notThisKind:
		default:
			f.Skipped = append(f.Skipped, Skipped{spec.Repository, spec.Commit, spec.Path, spec.Line, reason})
		}
	}
}

// notThisKind is the reason for an object that only refers to one of the kinds.
const notThisKind = "the kind is that of a reference"

// object is the part of the four kinds that contains a KubeadmConfigSpec.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec map[string]any `json:"spec"`
}

// read sets the fields of the object. It returns why the document contains no spec, or an empty string.
func (s *Spec) read(text string) string {
	var o object
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		if strings.Contains(text, "{{") {
			return "a template of another language, which is not YAML"
		}
		if strings.Contains(err.Error(), "cannot unmarshal array") {
			return "a list, and not an object"
		}
		return "not YAML: " + firstLine(err.Error())
	}
	if !kind.MatchString("kind: " + o.Kind) {
		return notThisKind
	}
	group, version, _ := strings.Cut(o.APIVersion, "/")
	if o.APIVersion == "" {
		return "the object has no apiVersion"
	}
	if group != bootstrapGroup && group != controlPlaneGroup {
		return "the object is of the API group " + group
	}
	if version != "v1beta1" && version != "v1beta2" {
		return "the version " + version + " is not served by Cluster API 1.14"
	}
	spec, found := configSpec(o)
	if !found {
		return "the object has no KubeadmConfigSpec"
	}
	text2, err := json.Marshal(spec)
	if err != nil {
		return "not JSON: " + firstLine(err.Error())
	}
	sum := sha256.Sum256(append([]byte(version+" "), text2...))
	s.Kind, s.Version, s.Name, s.Digest = o.Kind, version, o.Metadata.Name, hex.EncodeToString(sum[:6])
	return ""
}

// configSpec returns the KubeadmConfigSpec of an object.
func configSpec(o object) (map[string]any, bool) {
	path := map[string][]string{
		"KubeadmConfigTemplate":       {"template", "spec"},
		"KubeadmControlPlane":         {"kubeadmConfigSpec"},
		"KubeadmControlPlaneTemplate": {"template", "spec", "kubeadmConfigSpec"},
	}[o.Kind]
	spec := o.Spec
	for _, key := range path {
		spec, _ = spec[key].(map[string]any)
	}
	return spec, spec != nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Object returns the object with values for the variables, and with the patches of its class, in a text with the same
// documents as the file.
func (s Spec) Object(ctx context.Context, file string) (string, error) {
	if s.Use != nil {
		return classpatch.Apply(ctx, Texts(Substitute(file)), *s.Use)
	}
	return Substitute(Documents(file)[s.Index].Text), nil
}

// JSON returns the KubeadmConfigSpec with values for the variables.
func (s Spec) JSON(ctx context.Context) ([]byte, error) {
	text, err := s.Object(ctx, s.File)
	if err != nil {
		return nil, err
	}
	var o object
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		return nil, err
	}
	spec, _ := configSpec(o)
	return json.Marshal(spec)
}
