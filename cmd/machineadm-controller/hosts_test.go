package main

import (
	"strings"
	"testing"
)

// TestHostFlags refuses values with an error that names the flag.
func TestHostFlags(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	for name, c := range map[string]struct {
		args  []string
		wrong string
	}{
		"defaults":       {},
		"all":            {args: []string{"--host-networks=10.0.0.0/8,fd00::/8", "--host-agent-sha256=" + digest}},
		"no network":     {args: []string{"--host-networks=10.0.0.1/8"}, wrong: "--host-networks"},
		"no digest":      {args: []string{"--host-agent-sha256=" + strings.ToUpper(digest)}, wrong: "--host-agent-sha256"},
		"no connections": {args: []string{"--host-connections=0"}, wrong: "--host-connections"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := parse(append([]string{"--controllers=hosts"}, c.args...))
			if err != nil {
				t.Fatal(err)
			}
			drivers, err := o.hosts.drivers()
			switch {
			case c.wrong != "":
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("the error is %v, want one about %s", err, c.wrong)
				}
			case err != nil || drivers.Hosts == nil:
				t.Errorf("there is no driver: %v", err)
			}
		})
	}
}
