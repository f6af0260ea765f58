// Command prose counts the words that readers have to decode, such as "tells" for a function that returns a value. It
// reads Go comments and string literals, documents, and comments of scripts, and fails when there are more than -max.
//
//	go run ./hack/prose [-max N] [-list] [FOLDER]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// defaultMax is how many occurrences the tree may have: some are quotations.
const defaultMax = 60

func main() {
	limit := flag.Int("max", defaultMax, "how many occurrences are allowed")
	list := flag.Bool("list", false, "print each occurrence")
	flag.Parse()
	folder := "."
	if flag.NArg() > 0 {
		folder = flag.Arg(0)
	}
	found, err := search(context.Background(), folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
	if *list {
		for _, o := range found {
			fmt.Fprintln(os.Stdout, o)
		}
	}
	summarize(os.Stdout, found)
	if len(found) > *limit {
		fmt.Fprintf(os.Stderr, "prose: %d occurrences, %d are allowed; STYLE rules are in "+
			"CONTRIBUTING.md, -list prints each\n", len(found), *limit)
		os.Exit(1)
	}
}

// summarize prints the total and the count of each word.
func summarize(w io.Writer, found []occurrence) {
	counts := map[string]int{}
	for _, o := range found {
		counts[o.word]++
	}
	fmt.Fprintf(w, "%d occurrences\n", len(found))
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "  %-14s %d\n", word, counts[word])
	}
}
