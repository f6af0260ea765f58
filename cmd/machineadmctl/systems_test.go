package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// systemManifest is a machine that installs packages, trusts a CA and sets its time.
const systemManifest = `apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: m}
spec:
  os: {distribution: %s, version: "%s"}
  machine:
    kubernetes: {provision: Package}
    timeSync: {servers: [time.example]}
    containerd: {}
    files: [{path: /etc/kubernetes.repo, content: "#"}]
    trustedCAs:
    - name: own
      content: |
        -----BEGIN CERTIFICATE-----
        MIIBczCCARmgAwIBAgIUZpkzrIQyV9T30nnvwc7ceQ8N+T0wCgYIKoZIzj0EAwIw
        DjEMMAoGA1UEAwwDb3duMCAXDTI2MTEyNjE4NDE1NloYDzIxMjYxMTAyMTg0MTU2
        WjAOMQwwCgYDVQQDDANvd24wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQN01mt
        2y7Zv5/AB6m9NXxNWDYLg6VlqGNxJ6on+dyN0kRYQUT++KM81h1L6uqKroKTTCu5
        85mZJcJL5CuaaDMzo1MwUTAdBgNVHQ4EFgQU6He3wWWgkLzNz69//4wFPbIfwU0w
        HwYDVR0jBBgwFoAU6He3wWWgkLzNz69//4wFPbIfwU0wDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiA5gJ+snI0k/U7TE+xq4c0dte4G8VMX0u0+PyHi
        db3I+AIhAL1PCJAKKyfwT6r/nUg8ejSJeg8M2Y3xVSDHq+OhKoTN
        -----END CERTIFICATE-----
`

// TestSystemsGetTheirPrograms renders a machine of each release with packages, by the ID of os-release(5). The commands
// must be those of the system.
func TestSystemsGetTheirPrograms(t *testing.T) {
	const (
		redHat = "update-ca-trust"
		suse   = "update-ca-certificates"
		chrony = "/etc/chrony.conf"
	)
	for _, c := range []struct {
		distribution, release string
		want                  []string
	}{
		{"ol", "8.10", []string{"dnf -yq install", "kubelet-1.36.3-*", redHat, chrony, "mask --now dnf-automatic.timer"}},
		{"ol", "9.6", []string{"dnf -yq install", redHat, chrony}},
		{"ol", "10.0", []string{"dnf -yq install", redHat, chrony}},
		{"azurelinux", "3.0", []string{"tdnf -yq install kubelet-1.36.3 ", "tdnf -yq install containerd2;", redHat, chrony}},
		{"amzn", "2", []string{"yum -yq install kubelet-1.36.3 ", redHat, chrony, "mask --now yum-cron.service"}},
		{"amzn", "2023", []string{"dnf -yq install containerd;", redHat, chrony}},
		{"fedora", "43", []string{"dnf -yq install containerd;", redHat, chrony, "mask --now dnf5-automatic.timer"}},
		{"openEuler", "24.03", []string{"dnf -yq install", redHat, chrony}},
		{
			"opensuse-leap", "15.6",
			[]string{
				"export ZYPP_LOCK_TIMEOUT=300&&", "zypper -nq install kubelet=1.36.3 ", suse,
				"/etc/pki/trust/anchors/own.pem", chrony,
			},
		},
		{"opensuse-leap", "16.0", []string{"zypper -nq install", suse, chrony}},
		{"sles", "15.7", []string{"zypper -nq install containerd;", suse, chrony}},
		{"sles", "16.0", []string{"zypper -nq install", suse, chrony}},
	} {
		manifest := fmt.Sprintf(systemManifest, c.distribution, c.release)
		code, out, errs := runScenario(t, []byte(manifest), "render", "-f", "-", "--kubernetes-version", "v1.36.3")
		if code != 0 || strings.Contains(string(errs), "warning:") {
			t.Errorf("%s %s: exit code %d: %s", c.distribution, c.release, code, errs)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s %s: the userdata does not contain %q", c.distribution, c.release, want)
			}
		}
	}
}

// TestEachSystemRenders renders a worker for each built-in profile, in the default format of the system.
func TestEachSystemRenders(t *testing.T) {
	const manifest = `apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: m}
spec:
  os: {distribution: %s}
  machine:
    kubernetes: {provision: Image}
    files:
    - {path: /etc/site.conf, content: "a: b"}
`
	for _, p := range osprofile.Builtin() {
		text := fmt.Sprintf(manifest, p.ID)
		if p.Family == osprofile.FamilyWindows {
			text = strings.Replace(text, "/etc/site.conf", `C:\site.conf`, 1)
		}
		// Bottlerocket has no files, and Talos only those of /var.
		if p.Family == osprofile.FamilyTalos || p.Family == osprofile.FamilyBottlerocket {
			text, _, _ = strings.Cut(text, "    files:")
		}
		code, out, errs := runScenario(t, []byte(text), "render", "-f", "-", "--kubernetes-version", "v1.36.3")
		if code != 0 || len(out) == 0 {
			t.Errorf("%s: exit code %d: %s", p.ID, code, errs)
		}
	}
}
