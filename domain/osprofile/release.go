package osprofile

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareReleases compares two release numbers of one distribution, number by number: 4230.2.0 with 4593.0.0, 24.04 with
// 24.10. It returns -1, 0 or +1. Parts that are no numbers compare as text; a missing part is less than any other.
func CompareReleases(a, b string) int {
	as, bs := strings.FieldsFunc(a, isSeparator), strings.FieldsFunc(b, isSeparator)
	for i := range min(len(as), len(bs)) {
		if c := comparePart(as[i], bs[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
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
