package node

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Annotation is an annotation of the Node object. kubelet has no argument for annotations, so the machine sets them
// with kubelet's credentials after it has joined.
type Annotation struct {
	// Key is the key of the annotation, such as example.org/rack.
	Key string `json:"key"`
	// Value is the value of the annotation. Default: empty.
	Value document.Content `json:"value,omitempty"`
}

// maxAnnotations is the limit of the API server for the annotations of an object, in bytes (k8s.io/apimachinery:
// TotalAnnotationSizeLimitB).
const maxAnnotations = 256 * 1024

// coreAnnotations is the prefix of the annotations that Cluster API sets on Nodes.
const coreAnnotations = "cluster.x-k8s.io/"

func checkAnnotations(p report.Path, annotations []Annotation) report.Report {
	var r report.Report
	seen, size := map[string]bool{}, 0
	for i, a := range annotations {
		if seen[a.Key] {
			r = append(r, report.Errorf(p.Index(i), "the annotation is set twice").To("keep one of them"))
		}
		seen[a.Key], size = true, size+len(a.Key)+a.Value.Len()
		r = append(r, a.Check(p.Index(i))...)
	}
	if size > maxAnnotations {
		r = append(r, report.Errorf(p, "the annotations have %d bytes; the API server allows %d", size, maxAnnotations).
			To("shorten them"))
	}
	return r
}

// Check returns error findings for invalid annotations, and for those that Cluster API sets.
func (a Annotation) Check(p report.Path) report.Report {
	var r report.Report
	switch {
	case !isLabelKey(a.Key):
		r = append(r, report.Errorf(p, "%q is not an annotation key", a.Key).To(
			"write NAME or PREFIX/NAME with letters, digits, dots, dashes and underscores"))
	case strings.HasPrefix(a.Key, coreAnnotations):
		r = append(r, report.Errorf(p, "Cluster API sets the annotations with the prefix %s", coreAnnotations).
			To("use another prefix"))
	}
	for _, f := range a.Value.Fragments() {
		if !utf8.Valid(f.Literal) || slices.Contains(f.Literal, 0) {
			return append(r, report.Errorf(p, "the value is not UTF-8 text without NUL bytes").To("remove other bytes"))
		}
	}
	return r
}
