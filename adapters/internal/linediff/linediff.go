// Package linediff compares texts line by line. Their authors may be hostile.
package linediff

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// context is the number of equal lines around a difference.
const context = 3

// lineRange is a range of lines, from start to before end.
type lineRange struct{ start, end int }

// change is a range of lines that another one replaces.
type change struct{ was, is lineRange }

// Unified returns the differences of two texts in the unified format of diff(1), or an empty text if there are none.
func Unified(fromName, toName, from, to string) string {
	was, is := lines(from), lines(to)
	var b strings.Builder
	for hunk := range hunks(changes(was, is)) {
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", fromName, toName)
		}
		writeHunk(&b, hunk, was, is)
	}
	return b.String()
}

// lines returns the lines with their ends. The last one may have none.
func lines(text string) []string {
	all := strings.SplitAfter(text, "\n")
	if last := len(all) - 1; all[last] == "" {
		return all[:last]
	}
	return all
}

// changes returns what differs between two texts. It finds the lines that occur once in each of them, and compares the
// lines beside these. The time is nearly proportional to the number of lines. A search for the longest equal parts
// shows smaller differences between repeated lines, but hostile texts make its time quadratic.
func changes(was, is []string) []change {
	var all []change
	i, j := 0, 0
	for _, a := range append(anchors(was, is), [2]int{len(was), len(is)}) {
		for i < a[0] && j < a[1] && was[i] == is[j] {
			i, j = i+1, j+1
		}
		end, newEnd := a[0], a[1]
		for end > i && newEnd > j && was[end-1] == is[newEnd-1] {
			end, newEnd = end-1, newEnd-1
		}
		if end > i || newEnd > j {
			all = append(all, change{lineRange{i, end}, lineRange{j, newEnd}})
		}
		i, j = a[0], a[1]
	}
	return all
}

// anchors returns the positions in both texts of lines that occur once in each: as many as have the same order.
func anchors(was, is []string) [][2]int {
	unique := uniqueLines(is)
	var pairs [][2]int
	for line, i := range uniqueLines(was) {
		if j, found := unique[line]; found {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	return longestIncreasing(pairs)
}

// uniqueLines returns the positions of the lines that occur once.
func uniqueLines(lines []string) map[string]int {
	positions, repeated := make(map[string]int, len(lines)), map[string]bool{}
	for i, line := range lines {
		if _, known := positions[line]; known {
			repeated[line] = true
		}
		positions[line] = i
	}
	for line := range repeated {
		delete(positions, line)
	}
	return positions
}

// longestIncreasing returns the longest subsequence of pairs whose second numbers increase.
func longestIncreasing(pairs [][2]int) [][2]int {
	// ends are the pairs with the smallest second number that end a subsequence of a length.
	var ends []int
	before := make([]int, len(pairs))
	for p, pair := range pairs {
		length := sort.Search(len(ends), func(e int) bool { return pairs[ends[e]][1] >= pair[1] })
		before[p] = -1
		if length > 0 {
			before[p] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, p)
		} else {
			ends[length] = p
		}
	}
	longest := make([][2]int, len(ends))
	p := -1
	if len(ends) > 0 {
		p = ends[len(ends)-1]
	}
	for n := len(ends) - 1; n >= 0; n-- {
		longest[n] = pairs[p]
		p = before[p]
	}
	return longest
}

// hunks groups changes whose contexts touch.
func hunks(all []change) func(yield func([]change) bool) {
	return func(yield func([]change) bool) {
		for start, i := 0, 1; i <= len(all); i++ {
			if i < len(all) && all[i].was.start-all[i-1].was.end <= 2*context {
				continue
			}
			if !yield(all[start:i]) {
				return
			}
			start = i
		}
	}
}

// writeHunk writes changes with the equal lines around and between them.
func writeHunk(b *strings.Builder, hunk []change, was, is []string) {
	first, last := hunk[0], hunk[len(hunk)-1]
	before := min(context, first.was.start)
	after := min(context, len(was)-last.was.end)
	fmt.Fprintf(b, "@@ -%s +%s @@\n", lineRange{first.was.start - before, last.was.end + after},
		lineRange{first.is.start - before, last.is.end + after})
	at := first.was.start - before
	for _, c := range hunk {
		writeLines(b, " ", was[at:c.was.start])
		writeLines(b, "-", was[c.was.start:c.was.end])
		writeLines(b, "+", is[c.is.start:c.is.end])
		at = c.was.end
	}
	writeLines(b, " ", was[at:last.was.end+after])
}

func writeLines(b *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		b.WriteString(mark + line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// String returns the range in the unified format: the first line, and the number of lines unless it is 1.
func (r lineRange) String() string {
	switch n := r.end - r.start; n {
	case 0:
		return fmt.Sprintf("%d,0", r.start)
	case 1:
		return fmt.Sprint(r.end)
	default:
		return fmt.Sprintf("%d,%d", r.start+1, n)
	}
}
