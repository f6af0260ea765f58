package build

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		module  string
		enabled bool
		want    string
	}{
		"a usual release":               {},
		"a usual release in FIPS mode":  {enabled: true},
		"a FIPS release":                {module: "v1.0.0-c2097c7c", enabled: true},
		"a FIPS release without module": {module: "v1.0.0-c2097c7c", want: "v1.0.0-c2097c7c, and GODEBUG disables it"},
	} {
		err := Info{FIPSModule: c.module}.check(c.enabled)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRead(t *testing.T) {
	if i, err := Read(); i.Version == "" || err != nil {
		t.Errorf("got %+v and %v", i, err)
	}
}
