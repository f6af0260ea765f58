package main

import (
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/controlplane"
)

// TestDaysLeaveNothing is a short version of the days: each of them replaces all machines.
func TestDaysLeaveNothing(t *testing.T) {
	var days []day
	err := with(t.Context(), func(c *controlplane.ControlPlane) (err error) {
		days, err = maintain(t.Context(), c, settings{
			workers: 40, clusters: 2, days: 3, share: 100, renewals: 1, tokenTTL: 6 * time.Second,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", daysTable(days))
	if err := leaks(days); err != nil {
		t.Error(err)
	}
	for i, d := range days {
		if d.Created != 40 || d.Renewed < 40 || d.Resigned < 2 || d.Objects == 0 || d.Goroutines == 0 || d.Series == 0 {
			t.Errorf("day %d: %+v", i+1, d)
		}
	}
}

// TestLeaks checks that each number can exceed its limit.
func TestLeaks(t *testing.T) {
	second := day{Created: 40, Heap: 100, Objects: 1000, Goroutines: 100, Series: 100, Secrets: 100, Tokens: 100}
	for want, change := range map[string]func(*day){
		"":                                   func(d *day) { d.Heap, d.Goroutines, d.Tokens = 110, 120, 200 },
		"heap: 1.11 times":                   func(d *day) { d.Heap = 111 },
		"objects of the heap: 1000 after":    func(d *day) { d.Objects += 1 + 40*maxObjects },
		"goroutines: 100 after":              func(d *day) { d.Goroutines = 121 },
		"series of metrics: 100 after":       func(d *day) { d.Series = 121 },
		"Secrets: 100 after the second day,": func(d *day) { d.Secrets = 121 },
	} {
		last := second
		change(&last)
		err := leaks([]day{{}, second, last})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := leaks([]day{{}, second}); err == nil {
		t.Error("two days are compared with each other")
	}
}
