package node_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/node"
)

func TestTokenIDs(t *testing.T) {
	seen := map[string]node.TokenOwner{}
	for i := range 200 {
		owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: fmt.Sprintf("m%d", i)}
		id := owner.TokenID(0)
		if !regexp.MustCompile(`^[a-z0-9]{6}$`).MatchString(id) || id != owner.TokenID(0) || id == owner.TokenID(1) {
			t.Errorf("ID %q of %s", id, owner)
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%s and %s have one ID", owner, other)
		}
		seen[id] = owner
	}
}

func TestTokenIDsDoNotMixUpNames(t *testing.T) {
	a := node.TokenOwner{Namespace: "a", Cluster: "b-c", Config: "d"}
	b := node.TokenOwner{Namespace: "a-b", Cluster: "c", Config: "d"}
	if a.TokenID(0) == b.TokenID(0) {
		t.Errorf("%s and %s have one ID", a, b)
	}
}

func TestTokenSecret(t *testing.T) {
	half, err := node.NewTokenSecret(bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	if err != nil || !regexp.MustCompile(`^[a-z0-9]{16}$`).Match(half.Reveal()) {
		t.Errorf("half of %d characters, error %v", half.Len(), err)
	}
	if _, err := node.NewTokenSecret(bytes.NewReader(nil)); err == nil {
		t.Error("a token was made without random bytes")
	}
	token := node.BootstrapToken{ID: "abcdef", Secret: half}
	if text := fmt.Sprintf("%v %+v %#v", token, token, token); bytes.Contains([]byte(text), half.Reveal()) {
		t.Error("a printed token shows its secret half")
	}
}

func TestCheckSkew(t *testing.T) {
	cases := map[string]struct {
		reason             string
		node, controlPlane string
		allowed            bool
	}{
		"same":             {"Equal versions always fit.", "v1.36.3", "v1.36.3", true},
		"newer patch":      {"Patch versions do not count.", "v1.36.9", "v1.36.0", true},
		"newer minor":      {"Kubelet is never newer than the API server.", "v1.37.0", "v1.36.9", false},
		"three older":      {"Kubelet may be three minor versions older.", "v1.33.0", "v1.36.0", true},
		"four older":       {"Four are too many.", "v1.32.9", "v1.36.0", false},
		"build metadata":   {"Builds of vendors are versions.", "v1.36.3+vendor.1", "v1.36.0-rc.1", true},
		"unknown":          {"What cannot be read is not judged.", "v1.36.3", "", true},
		"without prefix v": {"Machines may leave the v out.", "1.37.0", "1.36.0", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := node.CheckSkew(tc.node, tc.controlPlane); (got == "") != tc.allowed {
				t.Errorf("%s\ngot %q", tc.reason, got)
			} else if got != "" && !(strings.HasPrefix(got, tc.node+" is ") && strings.Contains(got, tc.controlPlane) &&
				strings.Contains(got, "; use ")) {
				t.Errorf("the message has no versions or no remedy: %q", got)
			}
		})
	}
}
