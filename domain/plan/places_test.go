package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

func TestCheckPlaces(t *testing.T) {
	file := func(path string) document.Value { return machine.File{Path: path} }
	dir := func(path string) document.Value { return machine.Directory{Path: path} }
	link := func(path string) document.Value { return machine.Link{Path: path, Target: "x"} }
	cases := map[string]struct {
		reason string
		values []document.Value
		want   []string
	}{
		"FilesInDirectories": {
			reason: "files may be in directories of the user",
			values: []document.Value{
				dir("/srv/a"), dir("/srv/a/b"), file("/srv/a/b/c"), file("/srv/a.conf"), link("/srv/a/l"),
			},
		},
		"ThroughLink": {
			reason: "files are written through links", values: []document.Value{link("/srv/l"), file("/srv/l/f")},
		},
		"SameKind": {
			reason: "a text can be added to a file", values: []document.Value{file("/srv/f"), file("/srv/f")},
		},
		"SimilarNames": {
			reason: "the names differ", values: []document.Value{file("/srv/a"), dir("/srv/a-b"), file("/srv/a0")},
		},
		"Windows": {
			reason: "paths of Windows are compared", values: []document.Value{file("C:/a"), file("C:/a/f")},
			want: []string{`error: p1.path: "C:/a/f" is below "C:/a", which is a file at p0; choose another path`},
		},
		"DirectoryAndFile": {
			reason: "a path is one of both", values: []document.Value{dir("/srv/d"), file("/srv/d")},
			want: []string{`error: p1.path: "/srv/d" is a file here and a directory at p0; remove one of them`},
		},
		"LinkAndFile": {
			reason: "the file would replace the link", values: []document.Value{link("/etc/one"), file("/etc/one")},
			want: []string{`error: p1.path: "/etc/one" is a file here and a link at p0; remove one of them`},
		},
		"DirectoryAndLink": {
			reason: "a link does not replace a directory", values: []document.Value{dir("/srv/d"), link("/srv/d")},
			want: []string{`error: p1.path: "/srv/d" is a link here and a directory at p0; remove one of them`},
		},
		"BelowFile": {
			reason: "a file is not a directory", values: []document.Value{file("/srv/f"), file("/srv/f/g/h")},
			want: []string{`error: p1.path: "/srv/f/g/h" is below "/srv/f", which is a file at p0; choose another path`},
		},
		"DirectoryBelowLink": {
			reason: "the directory would be created in the place of the link",
			values: []document.Value{dir("/srv/l/d"), link("/srv/l")},
			want: []string{`error: p0.path: "/srv/l/d" is below the link at p1, and directories are created before links; ` +
				`write the path of the directory to which the link points`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var docs []document.Document
			for i, v := range tc.values {
				source := document.Source{Path: report.Path(fmt.Sprintf("p%d", i))}
				docs = append(docs, document.Document{Value: v, Source: source})
			}
			var got []string
			for _, f := range plan.CheckPlaces(docs) {
				got = append(got, f.String())
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestCheckPlacesOfDeepPaths verifies that each of many deep paths is compared with the nearest one above it only.
func TestCheckPlacesOfDeepPaths(t *testing.T) {
	var docs []document.Document
	for i := range 1000 {
		docs = append(docs, document.Document{Value: machine.File{Path: strings.Repeat("/a", 1+i)}})
	}
	if got := len(plan.CheckPlaces(docs)); got != 999 {
		t.Errorf("%d findings, want one for each path below a file", got)
	}
}
