package host_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/host"
)

// TestHostname checks that the name of a machine is one that the kernel and the labels of a Node accept.
func TestHostname(t *testing.T) {
	long := strings.Repeat("a", 63)
	for name, want := range map[string]string{
		"node-1": "node-1",
		long:     long,
	} {
		if got := host.Hostname(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, name := range []string{
		long + "a", long + "b", strings.Repeat("a", 53) + ".b" + long, strings.Repeat("a.", 126),
		strings.Repeat("a", 51) + "---" + long,
	} {
		got := host.Hostname(name)
		if len(got) > 63 || strings.Contains(got, ".-") || strings.Contains(got, "--") {
			t.Errorf("%s: %q", name, got)
		}
		if other, found := seen[got]; found {
			t.Errorf("%s and %s have the host name %s", name, other, got)
		}
		seen[got] = name
	}
}
