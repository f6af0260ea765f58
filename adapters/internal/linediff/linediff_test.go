package linediff

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	numbers := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "%d\n", i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ was, is, want string }{
		"equal": {"a\nb\n", "a\nb\n", ""},
		"all": {
			"a", "b", "--- o\n+++ n\n@@ -1,1 +1,1 @@\n-a\n" +
				"\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
		},
		"no last newline": {
			"a\nb", "a\nb\n", "--- o\n+++ n\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
		},
		"to nothing":   {"a\n", "", "--- o\n+++ n\n@@ -1,1 +0,0 @@\n-a\n"},
		"from nothing": {"", "a\n", "--- o\n+++ n\n@@ -0,0 +1,1 @@\n+a\n"},
		"one line": {
			numbers(1, 9), strings.Replace(numbers(1, 9), "5", "x", 1),
			"--- o\n+++ n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
		},
		"two hunks": {
			numbers(1, 20), "0\n" + strings.Replace(numbers(1, 20), "15\n", "", 1),
			"--- o\n+++ n\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -12,7 +13,6 @@\n 12\n 13\n 14\n-15\n 16\n 17\n 18\n",
		},
		"one hunk": {
			numbers(1, 7), strings.NewReplacer("1", "x", "7", "y").Replace(numbers(1, 7)),
			"--- o\n+++ n\n@@ -1,7 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n",
		},
		"repeated lines": {
			"a\n}\nb\n}\nc\n}\n", "a\n}\nx\n}\nc\n}\n",
			"--- o\n+++ n\n@@ -1,6 +1,6 @@\n a\n }\n-b\n+x\n }\n c\n }\n",
		},
		"moved": {"a\nb\nc\n", "c\na\nb\n", "--- o\n+++ n\n@@ -1,3 +1,3 @@\n+c\n a\n b\n-c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Unified("o", "n", c.was, c.is); got != c.want {
				t.Errorf("got\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestHostileDiff compares texts of which every second line differs. A search for the longest equal parts compares each
// line with each other one, and does not end within the time of a test.
func TestHostileDiff(t *testing.T) {
	var was, is strings.Builder
	const pairs = 50_000
	for i := range pairs {
		fmt.Fprintf(&was, "%d\na%d\n", i, i)
		fmt.Fprintf(&is, "%d\nb%d\n", i, i)
	}
	if got := strings.Count(Unified("o", "n", was.String(), is.String()), "\n-a"); got != pairs {
		t.Errorf("got %d removed lines, want %d", got, pairs)
	}
}
