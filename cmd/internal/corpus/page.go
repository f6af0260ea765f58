package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
)

// introduction is the text of the page before its tables.
//
//go:embed introduction.md
var introduction string

// page returns the page with all tables.
func (r results) page() string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("\n## Result\n\n")
	r.writeTotals(&b)
	b.WriteString("\n## Repositories\n\n")
	r.writeRepositories(&b)
	b.WriteString("\n## Differences and their reasons\n\nA spec is counted once for each reason.\n\n")
	r.writeReasons(&b)
	b.WriteString("\n## Specs with findings\n\n")
	r.writeOthers(&b)
	b.WriteString("\n## Specs that Cluster API refuses\n\nThey are not counted above.\n\n")
	r.writeRefused(&b)
	b.WriteString("\n## Documents that are not read\n\n")
	r.writeSkipped(&b)
	return b.String()
}

func row(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", `\|`)
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func header(b *strings.Builder, cells ...string) {
	row(b, cells...)
	b.WriteString("|" + strings.Repeat("---|", len(cells)) + "\n")
}

func (r results) writeTotals(b *strings.Builder) {
	counts := r.counts("")
	header(b, "specs", "number")
	row(b, "found", fmt.Sprint(len(r.Found.Specs)))
	for _, source := range specs.Sources() {
		row(b, "found: "+source.Description(), fmt.Sprint(r.of(source)))
	}
	row(b, "distinct", fmt.Sprint(len(r.Outcomes)))
	for _, v := range []verdict{refused, lossless, reported, trapped} {
		row(b, string(v), fmt.Sprint(counts[v]))
	}
	fmt.Fprintf(b, "\nOf the specs that Cluster API accepts, %s are converted without loss and without a trap.\n",
		share(counts))
}

// of returns the number of specs of a source.
func (r results) of(source specs.Source) int {
	n := 0
	for _, s := range r.Found.Specs {
		if s.Source == source {
			n++
		}
	}
	return n
}

func (r results) writeRepositories(b *strings.Builder) {
	header(b, "repository", "commit", "found", "distinct", string(lossless), string(reported), string(trapped),
		string(refused))
	for _, repository := range r.Repositories {
		found := 0
		for _, s := range r.Found.Specs {
			if s.Repository == repository.Name {
				found++
			}
		}
		counts := r.counts(repository.Name)
		distinct := counts[lossless] + counts[reported] + counts[trapped] + counts[refused]
		row(b, repository.Name, "`"+repository.Commit[:12]+"`", fmt.Sprint(found), fmt.Sprint(distinct),
			fmt.Sprint(counts[lossless]), fmt.Sprint(counts[reported]), fmt.Sprint(counts[trapped]),
			fmt.Sprint(counts[refused]))
	}
}

func (r results) writeReasons(b *strings.Builder) {
	counts, places := map[string]int{}, map[string]string{}
	for _, o := range r.Outcomes {
		seen := map[string]bool{}
		for _, d := range o.Explained {
			if !seen[d.Reason] {
				counts[d.Reason]++
			}
			seen[d.Reason] = true
			places[d.Reason] = general(d.Place)
		}
	}
	header(b, "specs", "place", "reason")
	order := func(x, y string) int { return cmp.Or(counts[y]-counts[x], cmp.Compare(x, y)) }
	for _, reason := range slices.SortedFunc(maps.Keys(counts), order) {
		row(b, fmt.Sprint(counts[reason]), "`"+places[reason]+"`", reason)
	}
}

// brackets matches the name of an element in a place.
var brackets = regexp.MustCompile(`\[[^\]]*\]`)

func general(place string) string { return brackets.ReplaceAllString(place, "[]") }

// quotation matches what messages quote of a spec.
var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{\{[^}]*\}\}|\$\{[^}]*\}`)

func unquoted(text string) string { return quotation.ReplaceAllString(text, "…") }

func (r results) writeOthers(b *strings.Builder) {
	header(b, "repository", "path and line", "result", "field", "finding")
	for _, o := range r.Outcomes {
		v := o.verdict()
		if v != reported && v != trapped {
			continue
		}
		for _, f := range o.reasons() {
			row(b, o.Repository, o.Title(), string(v), f[0], unquoted(f[1]))
		}
	}
}

// reasons returns the fields and findings of a spec that is not lossless.
func (o outcome) reasons() [][2]string {
	var out [][2]string
	add := func(field, text string) {
		if f := [2]string{field, text}; !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, place := range o.differing() {
		lines := o.lines(place)
		for _, l := range lines {
			add(l.Field, l.Message)
		}
		if !o.covered(place) {
			add(general(place), "no finding")
		}
	}
	for _, f := range o.Findings {
		if f.Severity == "error" || len(out) == 0 && len(o.differing()) > 0 {
			add(f.Path, f.Message)
		}
	}
	for _, p := range o.Problems {
		add("", p)
	}
	return out
}

func (r results) writeRefused(b *strings.Builder) {
	header(b, "repository", "path and line", "reason")
	for _, o := range r.Outcomes {
		if o.Refused != "" {
			row(b, o.Repository, o.Title(), unquoted(o.Refused))
		}
	}
}

func (r results) writeSkipped(b *strings.Builder) {
	header(b, "repository", "path and line", "reason")
	for _, s := range r.Found.Skipped {
		row(b, s.Repository, fmt.Sprintf("%s:%d", s.Path, s.Line), unquoted(s.Reason))
	}
}

// list returns a table in CSV of all specs with their results. Specs of the same meaning have the same number.
func (r results) list() string {
	number, verdicts := map[string]int{}, map[string]verdict{}
	for i, o := range r.Outcomes {
		number[o.Digest], verdicts[o.Digest] = i+1, o.verdict()
	}
	var b strings.Builder
	b.WriteString("spec,repository,path,line,source,kind,version,result\n")
	for _, s := range r.Found.Specs {
		fmt.Fprintf(&b, "%d,%s,%s,%d,%s,%s,%s,%s\n", number[s.Digest], s.Repository, s.Path, s.Line, s.Source, s.Kind,
			s.Version, verdicts[s.Digest])
	}
	return b.String()
}
