package conformance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// pages is configuration that can be fetched, and a machine whose operating system is known.
type pages map[string]string

func (p pages) Fetch(_ context.Context, c indirect.RemoteConfig) ([]byte, error) {
	return []byte(p[c.URI]), nil
}

func (pages) Detect(context.Context, osprofile.Target) (osprofile.Target, error) {
	profile, _ := osprofile.Lookup("debian")
	return osprofile.Target{Profile: profile}, nil
}

const (
	timeSync = "# A comment.\n---\napiVersion: machineadm.io/v1alpha1\nkind: TimeSyncConfig\nspec:\n  " +
		"servers:\n  - a.example\n" +
		"  - \"a b\"\n"
	remote = "apiVersion: machineadm.io/v1alpha1\nkind: RemoteConfig\nspec:\n  provider: pages\n  uri: https://a/b\n---\n"
)

// TestFindingsOfTheAgentHaveLines makes the same mistake in the configuration of the machine and in one that it
// fetches.
func TestFindingsOfTheAgentHaveLines(t *testing.T) {
	cases := map[string]struct{ reason, text, fetched, want string }{
		"own": {
			"comments and separators count", timeSync, "",
			`error: documents[0].spec.servers[1] (line 8, column 5):`,
		},
		"second": {
			"the document before is another one", remote + timeSync, "",
			`error: documents[1].spec.servers[1] (line 14, column 5):`,
		},
		"fetched": {
			"the line is one of the fetched text", remote, timeSync,
			`error: documents[0].spec.documents[0].spec.servers[1] (line 8, column 5): in RemoteConfig https://a/b: `,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fetched := pages{"https://a/b": c.fetched}
			s, err := agent.New(agent.Dependencies{
				Detector: fetched, Source: fetched, Codec: codec.Codec{}, Locator: codec.Codec{}, Expanders: plugins.Builtin(),
			})
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Plan(t.Context(), agent.Request{Data: []byte(c.text)})
			if err != nil || len(p.Findings) == 0 {
				t.Fatalf("findings %v, error %v", p.Findings, err)
			}
			if got := p.Findings[0].String(); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: got %s, want %s…", c.reason, got, c.want)
			}
		})
	}
}
