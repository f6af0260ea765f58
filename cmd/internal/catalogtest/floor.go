package catalogtest

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
)

// Floor is what a format must support, so that it cannot pass by refusing everything. It is written by people and only
// grows: no test rewrites it.
type Floor struct {
	// Samples are names of samples of package portstest that must be held.
	Samples []string
	// Hostile is how many inputs of the hostile table must arrive.
	Hostile int
}

// FloorOf reads testdata/floors/<format>.txt of the conformance test, dir: a name of a sample a line, and "hostile N".
func FloorOf(t *testing.T, dir string, f delivery.Format) Floor {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, string(f)+".txt"))
	if err != nil {
		t.Fatalf("%v: list what the format must support", err)
	}
	defer func() { _ = file.Close() }()
	var floor Floor
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch number, isNumber := strings.CutPrefix(line, "hostile "); {
		case line == "" || strings.HasPrefix(line, "#"):
		case isNumber:
			if floor.Hostile, err = strconv.Atoi(number); err != nil {
				t.Fatalf("floor of %s: %v", f, err)
			}
		default:
			floor.Samples = append(floor.Samples, line)
		}
	}
	return floor
}
