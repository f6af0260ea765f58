package osprofile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

func TestCheckKubernetes(t *testing.T) {
	const from = "use a version in this range, or one of these values of spec.os.version: "
	cases := map[string]struct {
		reason, id, release, contract, version string
		want                                   report.Report
	}{
		"newest": {reason: "the last version of 1.14", id: "talos", release: "1.14.1", version: "v1.37.2"},
		"oldest": {reason: "the first version of 1.14", id: "talos", release: "v1.14", version: "v1.32.0"},
		"too old": {
			reason: "1.14 runs six minor versions", id: "talos", release: "1.14.1", version: "v1.30.0",
			want: report.Report{report.Errorf("p", "Talos Linux 1.14.1 runs Kubernetes 1.32 to 1.37, but the machine's version "+
				"is v1.30.0").To(from + "1.9, 1.10, 1.11, 1.12")},
		},
		"too new": {
			reason: "no release runs it", id: "talos", release: "1.14.1", version: "v1.38.0",
			want: report.Report{report.Errorf("p", "Talos Linux 1.14.1 runs Kubernetes 1.32 to 1.37, but the machine's version "+
				"is v1.38.0").To("use a version in this range")},
		},
		"similar release": {
			reason: "1.1 is not 1.13", id: "talos", release: "1.1.13", version: "v1.20.0",
		},
		"without a release": {
			reason: "any release that reads the output may boot", id: "talos", version: "v1.37.0",
		},
		"without a release, too old": {
			reason: "releases that read the output need a newer version", id: "talos", version: "v1.30.0",
			want: report.Report{report.Errorf("p", "Talos Linux runs Kubernetes 1.31 to 1.37, but the machine's version is "+
				"v1.30.0").To(from + "1.9, 1.10, 1.11, 1.12")},
		},
		"an old contract": {
			reason: "1.12 reads it, too", id: "talos", contract: "1.12", version: "v1.30.0",
		},
		"later release":   {reason: "its range is not known", id: "talos", release: "1.15.0", version: "v1.40.0"},
		"not a version":   {reason: "other checks find it", id: "talos", release: "1.14.0", version: "latest"},
		"without a range": {reason: "images have any version", id: "ubuntu", release: "24.04", version: "v1.20.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, _ := osprofile.Lookup(tc.id)
			to := osprofile.Target{Profile: p, Release: tc.release, FormatVersion: tc.contract}
			if d := cmp.Diff(tc.want, to.CheckKubernetes(delivery.FormatTalos, tc.version, "p")); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
