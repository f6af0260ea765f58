package main

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/cmd/internal/corpus/machineadm"
)

// covered reports whether the report of the conversion, or a warning, names the field that a difference comes from.
func (o outcome) covered(place string) bool {
	kind, _, _ := strings.Cut(place, ".")
	kind, _, _ = strings.Cut(kind, "[")
	warned := func(f machineadm.Finding) bool {
		return kind == "files" && strings.Contains(f.Path, ".files[") ||
			kind == "commands" && strings.Contains(f.Path, "Commands[")
	}
	return len(o.lines(place)) > 0 || slices.ContainsFunc(o.Findings, warned)
}

// lines returns the lines of the report, about a loss or a decision, that name the field of a place.
func (o outcome) lines(place string) []migrate.Line {
	var out []migrate.Line
	for _, l := range o.Report {
		field := strings.ToLower(l.Field)
		names := slices.ContainsFunc(fieldsOf(place), func(w string) bool {
			// The path of a patch may be that of a parent, whose value contains the field.
			parent, _, _ := strings.Cut(w, ".")
			return strings.Contains(field, w) || parent != "" && strings.HasSuffix(field, "."+parent)
		})
		if names && l.Outcome != migrate.Changed && l.Outcome != migrate.Note {
			out = append(out, l)
		}
	}
	return out
}

// fieldsOf returns parts of the paths of the fields of a KubeadmConfigSpec that set a place, in lower case.
func fieldsOf(place string) []string {
	kind, rest, _ := strings.Cut(place, ".")
	switch kind, _, _ = strings.Cut(kind, "["); kind {
	case "commands":
		return []string{"commands"}
	case "kubeVIP":
		return []string{".files"}
	case "units":
		return []string{"containerlinuxconfig"}
	case "disks", "filesystems":
		return []string{"disksetup"}
	case "kubeadm":
		_, field, _ := strings.Cut(rest, ".")
		field, _, _ = strings.Cut(field, "[")
		// initConfiguration has no controlPlane, and its settings are those of all machines after the conversion.
		field = strings.TrimPrefix(field, "controlPlane.")
		field = strings.Replace(field, ".labels", ".kubeletExtraArgs", 1)
		return []string{strings.ToLower(field)}
	default:
		return []string{"." + kind}
	}
}
