package migrate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTemplatePieces reads templates, hostile ones among them. None is executed.
func TestTemplatePieces(t *testing.T) {
	version := piece{fact: factControlPlaneVersion}
	for name, c := range map[string]struct {
		template string
		want     []piece // nil means refused
	}{
		"text":          {"a", []piece{{text: "a"}}},
		"version":       {"{{ .controlPlane.version }}", []piece{version}},
		"between texts": {"a{{.controlPlane.version}}b", []piece{{text: "a"}, version, {text: "b"}}},
		"trimmed":       {"a \n{{- .controlPlane.version -}}\n b", []piece{{text: "a"}, version, {text: "b"}}},
		"root":          {"{{ $.controlPlane.version }}", []piece{version}},
		"literal":       {"a{{ `{{` }}b", []piece{{text: "a{{b"}}},
		"comment":       {"a{{/* {{ */}}b", []piece{{text: "ab"}}},

		"other variable":     {"{{ .controlPlane.name }}", nil},
		"longer":             {"{{ .controlPlane.version.x }}", nil},
		"whole":              {"{{ .controlPlane }}", nil},
		"dot":                {"{{ . }}", nil},
		"condition":          {"{{ if .controlPlane }}a{{ end }}", nil},
		"loop":               {"{{ range .controlPlane }}a{{ end }}", nil},
		"function":           {`{{ printf "%999999999d" 1 }}`, nil},
		"pipeline":           {"{{ .controlPlane.version | len }}", nil},
		"unknown function":   {"{{ env }}", nil},
		"assignment":         {"{{ $a := .controlPlane.version }}", nil},
		"definition":         {`{{ define "a" }}b{{ end }}c`, nil},
		"recursion":          {`{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}`, nil},
		"Jinja":              {"{{ ds.meta_data.instance_id }}", nil},
		"not closed":         {"{{ .controlPlane.version", nil},
		"null byte":          {"{{ \x00 }}", nil},
		"deep parentheses":   {"{{ " + strings.Repeat("(", 100_000), nil},
		"deep conditions":    {strings.Repeat("{{if .}}", 100_000), nil},
		"long":               {strings.Repeat("a", maxTemplate+1), nil},
		"not closed, nested": {strings.Repeat("{{ `", 1000), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := templatePieces(c.template)
			if ok != (c.want != nil) {
				t.Fatalf("accepted: %v, %v", ok, got)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(piece{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
