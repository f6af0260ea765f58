package pattern_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/pattern"
)

func TestMatchString(t *testing.T) {
	p := pattern.Of(3, `^[a-z]+$`)
	for text, want := range map[string]bool{"": false, "a": true, "abc": true, "abcd": false, "A": false} {
		if got := p.MatchString(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
