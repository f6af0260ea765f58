package render_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// notary accepts a signature whose text equals the message.
type notary struct{}

func (notary) Verify(key, message, signature []byte) error {
	switch {
	case string(key) != "key":
		return errors.New("no key")
	case string(signature) != "signed "+string(message):
		return ports.ErrSignature
	default:
		return nil
	}
}

// TestReleaseIsVerified takes the digest of the machine's own agent from checksums that are signed, and from no others.
func TestReleaseIsVerified(t *testing.T) {
	a, b := strings.Repeat("0a", 32), strings.Repeat("0b", 32)
	sums := a + "  machineadm-linux-amd64\n" + b + " *machineadm-linux-arm64\nno checksum\n"
	const where = "error: spec.delivery.agent.fetch."
	cases := map[string]struct {
		reason  string
		fetch   delivery.AgentFetch
		release delivery.Release
		options []render.Option
		want    string
		finding string
	}{
		"signed": {reason: "amd64 is the machine's", release: delivery.Release{Checksums: []byte(sums)}, want: a},
		"a file": {
			reason: "it has another name", fetch: delivery.AgentFetch{Version: "arm64"},
			release: delivery.Release{File: "machineadm-linux-{version}", Checksums: []byte(sums)}, want: b,
		},
		"changed": {reason: "the digest was changed", release: delivery.Release{
			Checksums: []byte(sums),
			Signature: []byte("signed " + b),
		}, finding: where + "release.signatureFrom: the signature of the checksums does not match the key"},
		"no key": {reason: "nothing can be verified", release: delivery.Release{
			Checksums: []byte(sums),
			PublicKey: []byte("?"),
		}, finding: where + "release: the signature of the checksums cannot be verified: no key"},
		"not there": {
			reason: "a release of something else", release: delivery.Release{Checksums: []byte(a + "  x\n")},
			finding: where + `release.file: the checksums contain no digest of "machineadm-linux-amd64", or two; use one of x`,
		},
		"twice": {reason: "it is ambiguous", release: delivery.Release{Checksums: []byte(sums + b +
			"  machineadm-linux-amd64\n")}, finding: where + `release.file: the checksums contain no digest`},
		"both": {
			reason: "it is ambiguous", fetch: delivery.AgentFetch{SHA256: a},
			release: delivery.Release{Checksums: []byte(sums)},
			finding: where + "sha256: release contains the digest; set either sha256 or release",
		},
		"unsigned": {
			reason: "a program without a verifier", options: []render.Option{render.WithCodec(kinds{})},
			release: delivery.Release{Checksums: []byte(sums)},
			finding: where + "release: this program does not verify signatures; set sha256 instead",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			options := append([]render.Option{render.WithCodec(kinds{}), render.WithSignatures(notary{})}, c.options...)
			if c.options != nil {
				options = c.options
			}
			s, err := render.New([]ports.Renderer{lines{}}, []ports.Expander{files()}, options...)
			if err != nil {
				t.Fatal(err)
			}
			job := byAgent(osprofile.ShellPOSIX)
			job.Target.Architecture, job.Target.Profile.BinDir = "amd64", "/opt"
			release, fetch := c.release, c.fetch
			if release.Signature == nil {
				release.Signature = []byte("signed " + string(release.Checksums))
			}
			if release.PublicKey == nil {
				release.PublicKey = []byte("key")
			}
			fetch.URL, fetch.Release = "https://mirror.example/{sha256}", &release
			job.Delivery.Agent.Fetch = &fetch
			docs := []document.Document{at("files[0]", machine.File{Path: "/a"})}
			got, err := s.Render(t.Context(), having(job, docs...))
			if err != nil {
				t.Fatal(err)
			}
			if c.finding != "" && (len(got.Findings) != 1 || !strings.HasPrefix(got.Findings.String(), c.finding) ||
				!got.Rendering.Payload.Data.IsZero()) {
				t.Errorf("%s: %s", c.reason, got.Findings)
			}
			if c.finding == "" {
				if diff := cmp.Diff(c.want, digestOf(got)); diff != "" || got.Findings.HasErrors() {
					t.Errorf("%s: %s: %s", c.reason, got.Findings, diff)
				}
			}
			if fetch.SHA256 != c.fetch.SHA256 {
				t.Error("the request was changed")
			}
		})
	}
}

// digestOf returns the digest that the machine will check.
func digestOf(r render.Result) string {
	for _, s := range r.Plan.Steps {
		if f, is := s.Do.(action.FetchFile); is && strings.HasSuffix(f.URL, f.SHA256) {
			return f.SHA256
		}
	}
	return ""
}
