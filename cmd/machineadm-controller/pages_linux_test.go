package main

import (
	"testing"

	"github.com/prometheus/procfs"
)

// TestProgramPagesAreDropped checks that the initialization's part of the program leaves the resident memory.
func TestProgramPagesAreDropped(t *testing.T) {
	before := residentFiles(t)
	if err := dropProgramPages(); err != nil {
		t.Fatal(err)
	}
	if after := residentFiles(t); after > before/2 {
		t.Errorf("%d bytes of files are resident after %d, want at most half", after, before)
	}
}

func residentFiles(t *testing.T) uint64 {
	t.Helper()
	self, err := procfs.Self()
	if err != nil {
		t.Fatal(err)
	}
	status, err := self.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	return status.RssFile
}
