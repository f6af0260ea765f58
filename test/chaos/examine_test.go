package main

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/test/controlplane"
)

// TestViolationsAreFound checks that the invariants can fail.
func TestViolationsAreFound(t *testing.T) {
	create := controlplane.Request{Verb: "create", Resource: "secrets", Namespace: namespace, Name: "a", Code: 201}
	failed, patch := create, create
	failed.Code, patch.Verb, patch.Code = 504, "patch", 200
	token := controlplane.Request{
		Verb: "create", Resource: "secrets", Namespace: metav1.NamespaceSystem, Name: "bootstrap-token-a", Code: 201,
	}
	born := metav1.NewTime(time.Unix(100, 0))
	later := metav1.NewTime(time.Unix(101, 0))
	for name, c := range map[string]struct {
		requests []controlplane.Request
		changed  metav1.Time
		want     string
	}{
		"one":          {[]controlplane.Request{create}, born, ""},
		"repeated":     {[]controlplane.Request{failed, create}, born, ""},
		"unanswered":   {[]controlplane.Request{failed}, born, ""},
		"none":         {nil, born, "a: 0 successful requests to create it, and 0 others"},
		"two":          {[]controlplane.Request{create, create}, born, "a: 2 successful requests to create it, and 0 others"},
		"patch":        {[]controlplane.Request{create, patch}, born, "a: patch by "},
		"change":       {[]controlplane.Request{create}, later, "a changed after its creation, by manager"},
		"second token": {[]controlplane.Request{create, token}, born, "1 tokens were created, and there are 0"},
	} {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
			Name: "a", CreationTimestamp: born,
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "manager", Time: &c.changed}},
		}}
		f := findings{}
		f.checkRequests(map[string]*corev1.Secret{"a": secret}, c.requests)
		if got := strings.Join(f.violations, "; "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
