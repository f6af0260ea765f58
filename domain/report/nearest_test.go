package report_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/report"
)

func TestNearest(t *testing.T) {
	systems := []string{"almalinux", "debian", "fedora", "fedora-coreos", "flatcar", "rhel", "ubuntu"}
	cases := map[string]struct {
		reason, word string
		candidates   []string
		want         string
	}{
		"letter":     {"a wrong letter", "ubunto", systems, "ubuntu"},
		"exchange":   {"two letters in the wrong order", "ubutnu", systems, "ubuntu"},
		"case":       {"the case is not significant", "Debian", systems, "debian"},
		"beginning":  {"the word is incomplete", "fedora-c", systems, "fedora-coreos"},
		"more":       {"a release is not part of the name", "ubuntu24.04", systems, "ubuntu"},
		"exact":      {"a word of the list is itself", "rhel", systems, "rhel"},
		"plural":     {"a field", "contents", []string{"path", "content", "contentFrom"}, "content"},
		"singular":   {"a field", "file", []string{"users", "files", "units"}, "files"},
		"shortest":   {"the order makes no difference", "file", []string{"filesystems", "files"}, "files"},
		"alphabet":   {"the order makes no difference", "ab1", []string{"ab3", "ab2"}, "ab2"},
		"other":      {"another word has no neighbour", "hurd", systems, ""},
		"empty":      {"nothing has no neighbour", "", systems, ""},
		"long":       {"a hostile word is not compared", strings.Repeat("u", 1<<20), systems, ""},
		"long known": {"a hostile candidate is not compared", "ubuntu", []string{strings.Repeat("u", 1<<20)}, ""},
	}
	for name, tc := range cases {
		if got := report.Nearest(tc.word, tc.candidates); got != tc.want {
			t.Errorf("%s: %s: %q, want %q", name, tc.reason, got, tc.want)
		}
	}
	if got := report.DidYouMean("hurd", systems, "use another"); got != "use another" {
		t.Error(got)
	}
}
