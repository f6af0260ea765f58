package ignmodel_test

import (
	"testing"

	"github.com/coreos/ignition/v2/config/v3_6/types"
	v23 "github.com/flatcar/ignition/config/v2_3/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
)

func TestJSON(t *testing.T) {
	source, mode := "data:,<&>\u2028", 0
	cases := map[string]struct {
		reason string
		in     any
		want   string
	}{
		"Empty": {reason: "structs are empty", in: types.Config{}, want: `{"ignition":{"version":""}}`},
		"Flat": {reason: "embedded structs are flat, and HTML is not escaped", in: types.File{
			Node:          types.Node{Path: "/a"},
			FileEmbedded1: types.FileEmbedded1{Contents: types.Resource{Source: &source}, Mode: &mode},
		}, want: `{"path":"/a","contents":{"source":"data:,<&>\u2028"},"mode":0}`},
		"Pointer": {reason: "a pointer to nothing is there", in: v23.PasswdUser{
			Name: "a", Create: &v23.Usercreate{},
			Groups: []v23.Group{"b", "c"},
		}, want: `{"create":{},"groups":["b","c"],"name":"a"}`},
		"Named": {
			reason: "an embedded struct with a name is an object",
			in:     v23.Security{TLS: v23.TLS{CertificateAuthorities: []v23.CaReference{{Source: "x"}}}},
			want:   `{"tls":{"certificateAuthorities":[{"source":"x"}]}}`,
		},
		"Nil": {
			reason: "a list that may not be left out", in: v23.Raid{Name: "r"},
			want: `{"devices":null,"level":"","name":"r"}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ignmodel.JSON(tc.in)
			if err != nil || string(got) != tc.want {
				t.Errorf("%s: %s, %v", tc.reason, got, err)
			}
		})
	}
}
