package ignition_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	translator "github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/hostile"
)

// parsed reads a configuration with the parser of its own version, which must report nothing.
func parsed(t *testing.T, data []byte) types.Config {
	t.Helper()
	config, entries, err := v3_6.ParseCompatibleVersion(data)
	if err != nil || len(entries.Entries) > 0 {
		t.Fatalf("parse: %v\n%s", err, entries.String())
	}
	return config
}

// translated returns what Butane makes of a configuration, with what the engine would merge.
func translated(t *testing.T, text []byte) types.Config {
	t.Helper()
	data, entries, err := translator.TranslateBytes(text, common.TranslateBytesOptions{Raw: true})
	if err != nil || len(entries.Entries) > 0 {
		t.Fatalf("translate: %v\n%s", err, entries.String())
	}
	config := parsed(t, data)
	children := config.Ignition.Config.Merge
	config.Ignition.Config.Merge = nil
	for _, child := range children {
		_, contents := decoded(t, child)
		config = v3_6.Merge(config, parsed(t, contents))
	}
	return config
}

// decoded returns a resource without its encoding, and the bytes if they are in it.
func decoded(t *testing.T, r types.Resource) (types.Resource, []byte) {
	t.Helper()
	if r.Source == nil || len(*r.Source) < 5 || (*r.Source)[:5] != "data:" {
		return r, nil
	}
	u, err := dataurl.DecodeString(*r.Source)
	if err != nil {
		t.Fatal(err)
	}
	contents := u.Data
	if r.Compression != nil && *r.Compression == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(contents))
		if err != nil {
			t.Fatal(err)
		}
		if contents, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	source := string(contents)
	return types.Resource{Source: &source}, contents
}

// plain removes the encodings of all files.
func plain(t *testing.T, c types.Config) types.Config {
	t.Helper()
	for i := range c.Storage.Files {
		f := &c.Storage.Files[i]
		f.Contents, _ = decoded(t, f.Contents)
		for k := range f.Append {
			f.Append[k], _ = decoded(t, f.Append[k])
		}
	}
	c.Ignition.Version = ""
	return c
}

// ours are the cases of the hostile table that are not refused.
func ours(target osprofile.Target) plan.Plan {
	var docs []document.Document
	for _, c := range hostile.Cases() {
		if !c.Refused && expandable(c) {
			docs = append(docs, c.Documents...)
		}
	}
	return planFor(target, docs)
}

// TestButaneRendersTheSame translates the YAML with Butane and compares with what the machine is given.
func TestButaneRendersTheSame(t *testing.T) {
	snippet := delivery.Snippet{
		Format: delivery.FormatButane,
		Text: "variant: flatcar\nversion: 1.0.0\nstorage:\n  files:\n    - path: /etc/app/twice\n      mode: 0600\n    - " +
			"path: /etc/mine\n      overwrite: true\n      contents:\n        inline: mine\n",
	}
	withSnippet := rich(t, target(t, "flatcar", "", ""))
	withSnippet.Snippets = []plan.Snippet{{Snippet: snippet}}
	cases := map[string]struct {
		reason string
		plan   plan.Plan
	}{
		"flatcar 1.0": {reason: "the variant's oldest version", plan: rich(t, target(t, "flatcar", "3185.0.0", ""))},
		"flatcar 1.1": {reason: "its newest", plan: rich(t, target(t, "flatcar", "", ""))},
		"fcos 1.0":    {reason: "specification 3.0", plan: rich(t, target(t, "fedora-coreos", "", "3.0.0"))},
		"fcos 1.1":    {reason: "specification 3.1", plan: rich(t, target(t, "fedora-coreos", "", "3.1.0"))},
		"fcos 1.3":    {reason: "specification 3.2", plan: rich(t, target(t, "fedora-coreos", "", "3.2.0"))},
		"fcos 1.6":    {reason: "specification 3.5", plan: rich(t, target(t, "fedora-coreos", "", "3.5.0"))},
		"fcos 1.7":    {reason: "specification 3.6", plan: rich(t, target(t, "fedora-coreos", "", ""))},
		"hostile":     {reason: "bytes that YAML changes", plan: ours(target(t, "flatcar", "", ""))},
		"snippet":     {reason: "the user's text is merged by the engine", plan: withSnippet},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := plain(t, parsed(t, render(t, ignition.New(), tc.plan)))
			got := plain(t, translated(t, render(t, butane.New(), tc.plan)))
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-ignition +butane:\n%.4000s", diff)
			}
		})
	}
}
