package osprofile

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareReleases compares two release numbers of one distribution, number by number: 4230.2.0 with 4593.0.0, 24.04
// with 24.10. It returns -1, 0 or +1. Parts that are not numbers are compared as text. A missing part is less than any
// other. A leading v, which releases of Talos and Bottlerocket have, is ignored.
func CompareReleases(a, b string) int {
	as, bs := parts(a), parts(b)
	for i := range min(len(as), len(bs)) {
		if c := comparePart(as[i], bs[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

func parts(release string) []string {
	if len(release) > 1 && release[0] == 'v' && release[1] >= '0' && release[1] <= '9' {
		release = release[1:]
	}
	return strings.FieldsFunc(release, isSeparator)
}

func isSeparator(r rune) bool { return r == '.' || r == '-' || r == '_' || r == '+' }

func comparePart(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}
