// Command figures prints how long the module's functions and files are and how much of it is documented, and fails when
// that is not what the project holds itself to.
//
//	go run ./hack/figures [FOLDER]
package main

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"slices"
)

// The limits, in lines, and the share of exported names and packages that are documented.
const (
	maxMedian   = 10
	maxP90      = 45
	maxFunction = 60
	maxFile     = 400
	minDoc      = 1.0
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	f, err := measureTree(context.Background(), folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	f.print(os.Stdout)
	if complaints := f.complaints(); len(complaints) > 0 {
		for _, c := range complaints {
			fmt.Fprintln(os.Stderr, "figures:", c)
		}
		os.Exit(1)
	}
}

// sized is something with a length in lines.
type sized struct {
	name  string
	where token.Position
	lines int
}

// figures is what was measured. Functions are those of the product; files are the tests', too.
type figures struct {
	functions, files []sized
	exported         int
	undocumented     []sized
}

func (f figures) print(w io.Writer) {
	fmt.Fprintf(w, "functions %d: median %d, 90th percentile %d, longest %d lines\n", len(f.functions),
		percentile(f.functions, 50), percentile(f.functions, 90), percentile(f.functions, 100))
	fmt.Fprintf(w, "files %d: median %d, 90th percentile %d, longest %d lines\n", len(f.files),
		percentile(f.files, 50), percentile(f.files, 90), percentile(f.files, 100))
	fmt.Fprintf(w, "documented: %.1f%% of %d packages and exported names\n", 100*f.documented(), f.exported)
}

func (f figures) documented() float64 {
	if f.exported == 0 {
		return 1
	}
	return 1 - float64(len(f.undocumented))/float64(f.exported)
}

// complaints returns a line for each limit that is passed, with the place.
func (f figures) complaints() []string {
	var out []string
	if m := percentile(f.functions, 50); m > maxMedian {
		out = append(out, fmt.Sprintf("the median function has %d lines; %d are allowed", m, maxMedian))
	}
	if p := percentile(f.functions, 90); p >= maxP90 {
		out = append(out, fmt.Sprintf("the function at the 90th percentile has %d lines; fewer than %d are allowed", p,
			maxP90))
	}
	out = append(out, tooLong(f.functions, maxFunction+1)...)
	out = append(out, tooLong(f.files, maxFile)...)
	if f.documented() < minDoc {
		for _, u := range f.undocumented {
			out = append(out, fmt.Sprintf("%s: %s has no documentation", u.where, u.name))
		}
	}
	return out
}

func tooLong(list []sized, limit int) []string {
	var out []string
	for _, s := range list {
		if s.lines >= limit {
			out = append(out, fmt.Sprintf("%s: %s has %d lines; fewer than %d are allowed", s.where, s.name, s.lines, limit))
		}
	}
	return out
}

// percentile returns the smallest length that p percent of the list do not exceed.
func percentile(list []sized, p int) int {
	if len(list) == 0 {
		return 0
	}
	lengths := make([]int, len(list))
	for i, s := range list {
		lengths[i] = s.lines
	}
	slices.Sort(lengths)
	return lengths[max(0, (len(lengths)*p+99)/100-1)]
}
