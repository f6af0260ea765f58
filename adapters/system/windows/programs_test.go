//go:build unix

package windows_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/system/windows"
)

// TestOutputIsLimited runs a program that prints 64 MiB.
func TestOutputIsLimited(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	output, code, err := windows.Programs{Log: io.Discard}.Run(t.Context(), "sh", "-c",
		"head -c 67108864 /dev/zero; echo end; exit 3")
	runtime.ReadMemStats(&after)
	if err != nil || code != 3 || len(output) != 64<<10 || !strings.HasSuffix(string(output), "end\n") {
		t.Errorf("got %d bytes, exit code %d, error %v; want the last 64 KiB and exit code 3", len(output), code, err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4<<20 {
		t.Errorf("Run allocated %d KiB, want less than 4 MiB", allocated>>10)
	}
}
