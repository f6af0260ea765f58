// Package kubeadmnames contains the names of phases, preflight checks and feature gates that kubeadm accepts, and the
// versions of Kubernetes that have them.
package kubeadmnames

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Oldest and Newest are the first and the last minor version of Kubernetes 1 whose names the tables contain completely.
const (
	Oldest = 28
	Newest = 37
)

// unknown is the minor version of a machine without one. It has the names of all versions.
const unknown = 0

// Name is a name, and the minor versions of Kubernetes 1 that have it.
type Name struct {
	// Text is the name. If it ends in *, any name that begins with the rest is meant.
	Text string
	// Since is the first version with the name; 0 is any version before Oldest.
	Since int
	// Removed is the first version without the name; 0 means that Newest has it.
	Removed int
}

func (n Name) in(minor int) bool {
	return minor == unknown || minor >= n.Since && (n.Removed == 0 || minor < n.Removed)
}

// find returns the entry for a text, and whether there is one. A name of the version precedes one of another version,
// and a complete name precedes a pattern.
func find(names []Name, text string, minor int) (Name, bool) {
	found, exists := Name{}, false
	for _, n := range names {
		if n.Text == text && (!exists || n.in(minor)) {
			found, exists = n, true
		}
	}
	if exists {
		return found, true
	}
	for _, n := range names {
		prefix, pattern := strings.CutSuffix(n.Text, "*")
		if pattern && len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return n, true
		}
	}
	return Name{}, false
}

// available returns the texts of the names that the version has.
func available(names []Name, minor int) []string {
	var texts []string
	for _, n := range names {
		if n.in(minor) && !slices.Contains(texts, n.Text) {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// reason returns why the version does not have a name that another version has.
func (n Name) reason(minor int) string {
	if n.Removed != 0 && minor >= n.Removed {
		return "Kubernetes " + version(n.Removed) + " removed it"
	}
	return "Kubernetes " + version(n.Since) + " is the first with it"
}

func version(minor int) string { return "1." + strconv.Itoa(minor) }

// nearest returns the name that differs from the text in the fewest characters, or "" if none is similar.
func nearest(texts []string, text string) string {
	limit := max(1, min(len(text), maxCompared)/3)
	var near []string
	for _, t := range texts {
		if len(text) <= maxCompared && distance(strings.ToLower(t), strings.ToLower(text)) <= limit {
			near = append(near, t)
		}
	}
	if len(near) == 0 {
		return ""
	}
	return slices.MinFunc(near, func(a, b string) int {
		return cmp.Compare(distance(a, text), distance(b, text))
	})
}

// maxCompared is the maximum length of a text that is compared with the names; all names are shorter.
const maxCompared = 64

// distance is the number of bytes that must be inserted, removed or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
