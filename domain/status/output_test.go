package status_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/status"
)

func TestFailureLine(t *testing.T) {
	cases := map[string]struct{ why, output, want string }{
		"nothing":   {"a program may be silent", "", ""},
		"last line": {"most programs print the cause at the end", "one\ntwo\n\n", "two"},
		"error": {
			"kubeadm ends with a hint", "[preflight] ok\nerror: error execution phase preflight: no token\nTo see the stack " +
				"trace of this error execute with --v=5 or higher\n",
			"error: error execution phase preflight: no token",
		},
		"check": {
			"that checks have failed is no reason", "[preflight] Some fatal errors occurred:\n\t[ERROR A]: there is no " +
				"kubelet\nerror: error execution phase preflight: preflight checks failed\nTo see\n",
			"[ERROR A]: there is no kubelet",
		},
		"checks": {
			"one is enough, with the number of the others",
			"\t[ERROR A]: a\n\t[ERROR B]: b\n\t[ERROR C]: c\nerror: failed\n", "[ERROR A]: a (and 2 more)",
		},
		"long check": {
			"the name of the check is at the beginning", "[ERROR ImagePull]: " + strings.Repeat("x", 400) + "not found",
			"[ERROR ImagePull]: …" + strings.Repeat("x", 269) + "not found; check the version, " +
				"spec.controlPlane.imageRepository and spec.machine.containerd.registries",
		},
		"no runtime": {
			"kubeadm does not name the cause", "\t[ERROR CRI]: could not connect\n\t[ERROR B]: b\nerror: failed\n",
			"[ERROR CRI]: could not connect (and 1 more); use an image with a container runtime, or install one with " +
				"spec.machine.kubernetes.provision: Package",
		},
		"long name of a check": {
			"a program may print anything", "[ERROR " + strings.Repeat("x", 400) + "]: none",
			strings.Repeat("x", 293) + "]: none",
		},
		"long": {
			"the end of a line is more useful than its beginning", "error: " + strings.Repeat("x", 400) + "refused",
			strings.Repeat("x", 293) + "refused",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := status.FailureLine(c.output); got != c.want {
				t.Errorf("%s: got %q, want %q", c.why, got, c.want)
			}
		})
	}
}
