package node_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

func TestAnnotations(t *testing.T) {
	annotated := func(all ...node.Annotation) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.Annotations = all })
	}
	hold(t, map[string]verdict{
		"annotation": {
			value: annotated(node.Annotation{Key: "example.org/rack", Value: document.Text("a b\n\"c\" é")}),
		},
		"annotation, fact": {value: annotated(node.Annotation{Key: "rack", Value: document.FromFact(document.FactZone)})},
		"annotation, key":  {value: annotated(node.Annotation{Key: "a b"}), want: "registration.annotations[0]"},
		"annotation, core": {
			reason: "Cluster API overwrites it", value: annotated(node.Annotation{Key: "cluster.x-k8s.io/machine"}),
			want: "registration.annotations[0]",
		},
		"annotation, NUL": {
			value: annotated(node.Annotation{Key: "a", Value: document.Text("\x00")}), want: "registration.annotations[0]",
		},
		"annotation, Latin-1": {
			value: annotated(node.Annotation{Key: "a", Value: document.Text("\xe9")}), want: "registration.annotations[0]",
		},
		"annotation twice": {
			value: annotated(node.Annotation{Key: "a"}, node.Annotation{Key: "a"}), want: "registration.annotations[1]",
		},
		"annotations, long": {
			reason: "the API server refuses them",
			value:  annotated(node.Annotation{Key: "a", Value: document.Text(strings.Repeat("x", 256*1024))}),
			want:   "registration.annotations",
		},
	})
}
