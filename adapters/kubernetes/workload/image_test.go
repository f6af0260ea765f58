package workload

import "testing"

func TestImage(t *testing.T) {
	cases := map[string]struct {
		reason, from, repository, tag string
		want                          string
	}{
		"tag": {from: "registry.k8s.io/kube-proxy:v1.35.1", tag: "v1.36.3", want: "registry.k8s.io/kube-proxy:v1.36.3"},
		"repository": {
			from: "registry.k8s.io/coredns/coredns:v1.12.0", repository: "registry.example:5000/mirror/",
			want: "registry.example:5000/mirror/coredns:v1.12.0",
		},
		"port": {
			reason: "its colon is not that of a tag", from: "registry.example:5000/kube-proxy:v1", tag: "v2",
			want: "registry.example:5000/kube-proxy:v2",
		},
		"build metadata": {
			reason: "a tag has no plus", from: "r.example/kube-proxy:v1", tag: "v1.36.3+build.5",
			want: "r.example/kube-proxy:v1.36.3_build.5",
		},
		"digest":        {reason: "the user pinned it", from: "r.example/kube-proxy:v1@sha256:00", tag: "v2"},
		"no tag":        {from: "r.example:5000/kube-proxy", tag: "v2"},
		"no repository": {from: "kube-proxy:v1", tag: "v2"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			from, err := parseImage(tc.from)
			if (err != nil) != (tc.want == "") {
				t.Fatalf("error %v: %s", err, tc.reason)
			}
			if got := from.with(tc.repository, tc.tag).String(); err == nil && got != tc.want {
				t.Errorf("got %s, want %s: %s", got, tc.want, tc.reason)
			}
		})
	}
}
