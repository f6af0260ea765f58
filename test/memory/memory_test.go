package memory_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/memory"
)

// recorder records the errors of a test that is expected to fail.
type recorder struct {
	testing.TB
	message strings.Builder
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.message, format+"\n", args...) }

// parser returns a function that allocates so many MiB, in pieces of a size, and keeps none of them.
func parser(mib, piece int) {
	for range mib << 20 / piece {
		runtime.KeepAlive(make([]byte, piece))
	}
}

// TestBelow plants parsers that allocate more than the bound, at once and in pieces that are garbage at once.
func TestBelow(t *testing.T) {
	cases := map[string]struct {
		bound      uint64
		mib, piece int
		fails      bool
	}{
		"render":            {bound: memory.Render, mib: 300, piece: 300 << 20, fails: true},
		"render, garbage":   {bound: memory.Render, mib: 300, piece: 4096, fails: true},
		"render, below":     {bound: memory.Render, mib: 200, piece: 64 << 10},
		"a text":            {bound: memory.Parse, mib: 300, piece: 1 << 20, fails: true},
		"a text, garbage":   {bound: memory.Parse, mib: 80, piece: 64, fails: true},
		"a text, below":     {bound: memory.Parse, mib: 32, piece: 64},
		"a text, no memory": {bound: memory.Parse, mib: 0, piece: 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			memory.Below(r, c.bound, func() { parser(c.mib, c.piece) })
			if failed := r.message.Len() > 0; failed != c.fails {
				t.Errorf("failed is %v: %s", failed, &r.message)
			}
		})
	}
}
