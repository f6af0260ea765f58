package talos_test

import (
	"fmt"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/compatibility"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestKubernetesRanges compares the profile with the library for the releases that the library knows.
func TestKubernetesRanges(t *testing.T) {
	p, _ := osprofile.Lookup("talos")
	compared := 0
	for _, r := range p.KubernetesRanges {
		if osprofile.CompareReleases(r.Release, (osprofile.Target{Profile: p}).Newest(delivery.FormatTalos)) > 0 {
			continue
		}
		release, err := compatibility.ParseTalosVersion(&machine.VersionInfo{Tag: r.Release + ".0"})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		for minor := 20; minor < 50; minor++ {
			version := fmt.Sprintf("1.%d", minor)
			kubernetes, err := compatibility.ParseKubernetesVersion(version + ".0")
			if err != nil {
				t.Fatal(err)
			}
			want := kubernetes.SupportedWith(release) == nil
			to := osprofile.Target{Profile: p, Release: r.Release + ".0"}
			if got := len(to.CheckKubernetes(delivery.FormatTalos, "v"+version+".0", "p")) == 0; got != want {
				t.Errorf("Talos %s runs Kubernetes %s: %v in the profile, %v in the library", r.Release, version, got, want)
			}
		}
	}
	if compared != 5 {
		t.Errorf("%d releases were compared", compared)
	}
}
