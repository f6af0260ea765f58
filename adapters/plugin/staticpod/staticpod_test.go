package staticpod_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/staticpod"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: vip}\nspec: {}\n"

func TestExpand(t *testing.T) {
	type want struct {
		actions  []action.Action
		findings string
	}
	cases := map[string]struct {
		reason string
		value  document.Value
		want   want
	}{
		"Pod": {
			reason: "a pod is written where kubelet looks, byte for byte",
			value:  node.StaticPod{Name: "vip", Manifest: []byte(pod)},
			want: want{actions: []action.Action{{Do: action.WriteFile{File: machine.File{
				Path: "/etc/kubernetes/manifests/vip.yaml", Content: document.Text(pod), Mode: 0o600,
			}}}}},
		},
		"JSON": {
			reason: "JSON is YAML",
			value:  node.StaticPod{Name: "vip", Manifest: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}`)},
			want: want{actions: []action.Action{{Do: action.WriteFile{File: machine.File{
				Path:    "/etc/kubernetes/manifests/vip.yaml",
				Content: document.Text(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}`), Mode: 0o600,
			}}}}},
		},
		"Malformed": {
			reason: "kubelet would only log a manifest that it cannot read",
			value:  node.StaticPod{Name: "vip", Manifest: []byte("apiVersion: v1\nkind: [\n")},
			want: want{findings: `error: spec.pod.manifest (line 2, column 1): this is not well-formed YAML: a value is ` +
				`missing`},
		},
		"OtherKind": {
			reason: "kubelet runs pods alone",
			value:  node.StaticPod{Name: "vip", Manifest: []byte("apiVersion: v1\nkind: Deployment\n")},
			want:   want{findings: `error: spec.pod.manifest (line 2, column 7): its kind does not match; use Pod`},
		},
		"NoName": {
			reason: "kubelet refuses a pod without a name",
			value:  node.StaticPod{Name: "vip", Manifest: []byte("apiVersion: v1\nkind: Pod\n")},
			want:   want{findings: `error: spec.pod.manifest: the pod has no name; write metadata.name`},
		},
		"TwoPods": {
			reason: "kubelet reads the first document of a file",
			value:  node.StaticPod{Name: "vip", Manifest: []byte(pod + "---\n" + pod)},
			want: want{findings: `error: spec.pod.manifest (line 6, column 1): there are 2 documents in it; only the first ` +
				`would be read; leave one`},
		},
		"OtherDocument": {
			reason: "a document of another kind is refused, not guessed at",
			value:  machine.Command{},
			want:   want{findings: `error: spec.pod: this is not a static pod`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc := document.Document{Value: tc.value, Source: document.Source{Path: "spec.pod"}}
			actions, r, err := staticpod.Expander{}.Expand(t.Context(), ports.Expansion{Document: doc})
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, want{actions, r.String()}, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}
