package convert_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

func TestProfileFrom(t *testing.T) {
	there := store{
		"ConfigMap/profiles/mine":    profileHead + "extends: flatcar\nid: mine\nname: Mine\nbinDir: /opt/mine\n",
		"ConfigMap/profiles/flatcar": profileHead + "extends: flatcar\nname: Our Flatcar\n",
		"ConfigMap/profiles/bad":     profileHead + "extends: flatcar\nbinDir: opt\n",
	}
	own := osprofile.Profile{ID: "own", Name: "Own"}
	cases := map[string]struct {
		reason, distribution, key string
		optional                  bool
		name, binDir              string
		findings, missing         []string
	}{
		"built in": {distribution: "flatcar", name: "Flatcar", binDir: "/opt/bin"},
		"beside":   {reason: "what came with the conversion is known, too", distribution: "own", name: "Own"},
		"brought": {
			reason: "a distribution without a rebuild", distribution: "mine", key: "mine", name: "Mine",
			binDir: "/opt/mine",
		},
		"replaced": {
			reason: "facts of a known distribution can be mended", distribution: "flatcar", key: "flatcar",
			name: "Our Flatcar", binDir: "/opt/bin",
		},
		"missing": {
			reason: "it is waited for, also where machineadm has a profile of that name", distribution: "flatcar", key: "none",
			missing: []string{"error: spec.os.profileFrom.configMap: key none of ConfigMap profiles does not exist" +
				create},
		},
		"missing, optional": {
			distribution: "flatcar", key: "none", optional: true, name: "Flatcar", binDir: "/opt/bin",
			findings: []string{"info: spec.os.profileFrom.configMap: key none of ConfigMap profiles does not exist and is " +
				"optional, so it is left out"},
		},
		"another": {
			reason: "the distribution names the profile", distribution: "debian", key: "mine",
			findings: []string{`error: spec.os.profileFrom.configMap: the profile is that of "mine", and the distribution is ` +
				`"debian"; name the same`},
		},
		"bad": {
			reason: "with the line in the ConfigMap's text", distribution: "flatcar", key: "bad",
			findings: []string{`error: spec.os.profileFrom.configMap (line 4, column 9): binDir: "opt" is not absolute and ` +
				`clean`},
		},
		"absent": {
			reason: "a text in quotes would not name the mistake",
			findings: []string{"error: spec.os.distribution: the operating system is not set; use one of almalinux, " +
				"amazon-linux-2, amazon-linux-2023, azurelinux, bottlerocket, centos, debian, fedora, fedora-coreos, flatcar, " +
				"ol, openeuler, opensuse-leap, opensuse-leap-micro, opensuse-microos, own, photon, rhcos, rhel, rhel-edge, " +
				"rocky, sle-micro, sles, talos, ubuntu, windows-server-2019, windows-server-2022, windows-server-2025, " +
				"or refer with profileFrom to a profile that extends a similar system"},
		},
		"unknown": {
			distribution: "hurd",
			findings: []string{`error: spec.os.distribution: "hurd" is not a known operating system; use one of almalinux, ` +
				"amazon-linux-2, amazon-linux-2023, azurelinux, bottlerocket, centos, debian, fedora, fedora-coreos, flatcar, " +
				"ol, openeuler, opensuse-leap, opensuse-leap-micro, opensuse-microos, own, photon, rhcos, rhel, rhel-edge, " +
				"rocky, sle-micro, sles, talos, ubuntu, windows-server-2019, windows-server-2022, windows-server-2025, " +
				"or refer with profileFrom to a profile that extends a similar system"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := &v1alpha1.MachineBootstrapConfig{}
			c.Spec.OS.Distribution = tc.distribution
			if tc.key != "" {
				ref := v1alpha1.KeyReference{Name: "profiles", Key: tc.key, Optional: tc.optional}
				c.Spec.OS.ProfileFrom = &v1alpha1.ProfileSource{ConfigMap: ref}
			}
			r, err := convert.Config(t.Context(), c, convert.Names{}, there, own)
			if err != nil {
				t.Fatal(err)
			}
			var findings []string
			for _, f := range r.Findings {
				findings = append(findings, f.String())
			}
			got := []any{r.Target.Profile.Name, r.Target.Profile.BinDir, findings, texts(r.Missing)}
			if diff := cmp.Diff([]any{tc.name, tc.binDir, tc.findings, tc.missing}, got); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

// create is the remedy of missing references.
const create = "; create it, or set optional: true"

// texts returns the findings as text.
func texts(r report.Report) []string {
	var all []string
	for _, f := range r {
		all = append(all, f.String())
	}
	return all
}
