package precedence_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/precedence"
)

// table reads pairs such as "a<b", in each of which the first comes before the second.
func table(text string) precedence.Table {
	t := precedence.Table{}
	for pair := range strings.FieldsSeq(text) {
		earlier, later, _ := strings.Cut(pair, "<")
		t.Add(earlier, later)
	}
	return t
}

func TestSort(t *testing.T) {
	cases := map[string]struct{ reason, table, names, want string }{
		"none":    {"position counts", "", "b a", "b a"},
		"one":     {"what comes before does", "a<b", "b a", "a b"},
		"stable":  {"names without a relation stay in front", "a<b", "c b a", "c a b"},
		"chain":   {"one after the other", "c<b b<a", "a b c", "c b a"},
		"unused":  {"an unused name is ignored", "ghost<b", "b a", "b a"},
		"repeat":  {"a name may be listed several times", "a<b", "b a b a", "a a b b"},
		"diamond": {"two ways lead there", "a<b a<c b<d c<d", "d c b a", "a c b d"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			names := strings.Fields(tc.names)
			var got []string
			for _, i := range table(tc.table).Sort(names) {
				got = append(got, names[i])
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("sorted %v, want %s: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func TestCycle(t *testing.T) {
	cases := map[string]struct{ table, want string }{
		"none":   {"a<b b<c a<c", ""},
		"two":    {"a<b b<a", "a b a"},
		"itself": {"a<a", "a a"},
		"led to": {"z<a a<b b<c c<a", "a b c a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			found := table(tc.table).Cycle()
			if tc.want == "" && found != nil {
				t.Fatalf("found %v", found)
			}
			// It may begin anywhere.
			if tc.want != "" && (len(found) < 2 || found[0] != found[len(found)-1] || !slices.Equal(rotated(found),
				rotated(strings.Fields(tc.want)))) {
				t.Errorf("found %v, want %s", found, tc.want)
			}
		})
	}
}

// rotated returns a cycle beginning with its first name in the alphabet.
func rotated(cycle []string) []string {
	ring := cycle[:len(cycle)-1]
	first := slices.Index(ring, slices.Min(ring))
	return slices.Concat(ring[first:], ring[:first])
}
