package plan

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// place is the path of a file, a directory or a link.
type place struct {
	// key is the path with a slash at its end, so that the key of a directory is a prefix of the keys below it.
	key    string
	path   string
	kind   document.Kind
	source document.Source
}

// CheckPlaces returns error findings for paths at which the documents want nodes of different kinds, for paths below
// files, and for directories below links, because directories are created before links.
func CheckPlaces(docs []document.Document) report.Report {
	places := placesOf(docs)
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(a.key, b.key) })
	var r report.Report
	var above []place
	for _, p := range places {
		for len(above) > 0 && !strings.HasPrefix(p.key, above[len(above)-1].key) {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			r = append(r, p.conflict(above[len(above)-1])...)
		}
		above = append(above, p)
	}
	return r
}

func placesOf(docs []document.Document) []place {
	var places []place
	for _, d := range docs {
		var path string
		switch v := d.Value.(type) {
		case machine.Directory:
			path = v.Path
		case machine.Link:
			path = v.Path
		case machine.File:
			path = v.Path
		default:
			continue
		}
		places = append(places, place{key: strings.TrimSuffix(path, "/") + "/", path: path, kind: d.Kind(), source: d.Source})
	}
	return places
}

// conflict returns a finding if the place cannot exist with another one, which is at the same path or above it.
func (p place) conflict(other place) report.Report {
	at := p.source.Path.Field("path")
	switch {
	case p.key == other.key && p.kind != other.kind:
		return report.Report{report.Errorf(at, "%q is %s here and %s at %s", p.path, p.noun(), other.noun(),
			other.source).To("remove one of them")}
	case p.key == other.key:
		return nil
	case other.kind == machine.KindFile:
		return report.Report{report.Errorf(at, "%q is below %q, which is a file at %s", p.path, other.path, other.source).
			To("choose another path")}
	case other.kind == machine.KindLink && p.kind == machine.KindDirectory:
		return report.Report{report.Errorf(at, "%q is below the link at %s, and directories are created before links",
			p.path, other.source).To("write the path of the directory to which the link points")}
	default:
		return nil
	}
}

func (p place) noun() string {
	switch p.kind {
	case machine.KindDirectory:
		return "a directory"
	case machine.KindLink:
		return "a link"
	default:
		return "a file"
	}
}
