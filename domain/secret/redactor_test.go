package secret_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/secret"
)

func TestRedactor(t *testing.T) {
	r := secret.NewRedactor(secret.FromString("hunter2hunter2"), secret.FromString("first line\nsecond line\n"),
		secret.FromString("hunter2"), secret.FromString("abc"))
	cases := map[string]struct {
		reason, in, want string
	}{
		"longest first": {reason: "no part of a long secret is left", in: "x hunter2hunter2 y", want: "x [redacted] y"},
		"a line":        {reason: "a program may print one line of a file", in: "got second line", want: "got [redacted]"},
		"short":         {reason: "three letters are too ordinary", in: "abc", want: "abc"},
		"token": {
			reason: "a token shows by its shape", in: "--token abcdef.canary7q9zk2xw5v.",
			want: "--token [redacted].",
		},
		"nothing": {reason: "other text stays", in: "plain\x00text", want: "plain\x00text"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := r.Clean(c.in); got != c.want {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

func TestCollect(t *testing.T) {
	type inner struct{ Password secret.Value }
	type outer struct {
		List   []inner
		Keys   map[string]secret.Value
		Any    any
		Direct *secret.Value
		none   secret.Value
	}
	direct := secret.FromString("d")
	v := outer{
		List: []inner{{secret.FromString("l")}, {}}, Keys: map[string]secret.Value{"k": secret.FromString("m")},
		Any: inner{secret.FromString("a")}, Direct: &direct, none: secret.FromString("hidden"),
	}
	var got []string
	for _, s := range secret.Collect(v) {
		got = append(got, string(s.Reveal()))
	}
	if diff := cmp.Diff([]string{"l", "m", "a", "d"}, got); diff != "" {
		t.Error(diff)
	}
}
