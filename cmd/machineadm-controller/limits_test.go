package main

import "testing"

func TestPayloadLimits(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		want   string
		fails  bool
	}{
		"none": {reason: "the table counts"},
		"several": {
			reason: "the flag adds up", args: []string{"--payload-limit=B=64Ki,A=1000", "--payload-limit=B=1Ki"},
			want: "A=1000,B=1024",
		},
		"no kind":  {reason: "a limit is a kind's", args: []string{"--payload-limit=64Ki"}, fails: true},
		"nothing":  {reason: "a limit lets something through", args: []string{"--payload-limit=A=0"}, fails: true},
		"no bytes": {reason: "a limit is a number", args: []string{"--payload-limit=A=much"}, fails: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := parse(c.args)
			if (err != nil) != c.fails {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if got := o.payloadLimits.String(); !c.fails && got != c.want {
				t.Errorf("%s: %s", c.reason, got)
			}
		})
	}
}
