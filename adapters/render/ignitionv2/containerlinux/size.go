package containerlinux

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// sizePattern is a number and a unit. Units are powers of 1024, with and without an i.
var sizePattern = regexp.MustCompile(`^([0-9]*\.?[0-9]*)([KMGTPE]i?B|B)`)

var errSize = errors.New("no size")

// mebibytes returns a size such as 10GiB or 1GiB512MiB in MiB, or nil for none. Sizes are whole MiB.
func (t *translation) mebibytes(size string, at *yaml.Node) *int {
	if size == "" {
		return nil
	}
	bytes, err := parseSize(size)
	const mebibyte = 1 << 20
	switch {
	case err != nil:
		t.refuse(at, "this is not a size; use a number and a unit, such as 10GiB")
	case bytes%mebibyte != 0:
		t.refuse(at, "the size is not a whole number of MiB; use a multiple of 1MiB")
	default:
		return pointer(int(bytes / mebibyte))
	}
	return nil
}

func parseSize(size string) (int64, error) {
	total := 0.0
	if size == "0" {
		return 0, nil
	}
	for rest := strings.TrimPrefix(size, "+"); rest != ""; {
		m := sizePattern.FindStringSubmatch(rest)
		if m == nil {
			return 0, errSize
		}
		number, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, errSize
		}
		total += number * math.Pow(1024, float64(strings.IndexByte("BKMGTPE", m[2][0])))
		rest = rest[len(m[0]):]
	}
	if total >= math.MaxInt64 || strings.TrimPrefix(size, "+") == "" {
		return 0, errSize
	}
	return int64(total), nil
}
