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

// Floor contains the inputs that a format must support, so that a format that refuses everything does not pass. Floors
// are maintained by hand and only grow; no test updates them.
type Floor struct {
	// Samples are the names of the samples of package portstest that the format must render.
	Samples []string
	// Hostile is the minimum number of inputs of the hostile table that must arrive unchanged.
	Hostile int
}

// FloorOf reads the floor from <dir>/<format>.txt: the name of a sample on each line, and "hostile N".
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
