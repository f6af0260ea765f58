package trust_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/trust"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// The blocks are PEM of arbitrary bytes: certificates are checked with the document, not here.
const (
	one = "-----BEGIN CERTIFICATE-----\nb25l\n-----END CERTIFICATE-----\n"
	two = "-----BEGIN CERTIFICATE-----\ndHdv\n-----END CERTIFICATE-----\n"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		cas                  []machine.TrustedCA
		want                 string
	}{
		"single": {
			reason: "the bytes as they are, and the store is rebuilt before anything is fetched", distribution: "ubuntu",
			cas: []machine.TrustedCA{{Name: "corp", PEM: []byte("# ours\n" + one)}},
			want: `
trust: write /usr/local/share/ca-certificates/corp.crt (0644)
| # ours
| -----BEGIN CERTIFICATE-----
| b25l
| -----END CERTIFICATE-----
trust: run rebuild the trust store
| update-ca-certificates
unit: configure unit containerd.service (restart on [TrustedCAsConfig])`,
		},
		"bundle": {
			reason: "one file for each certificate", distribution: "fedora-coreos",
			cas: []machine.TrustedCA{{Name: "corp", PEM: []byte(one + "\n" + two)}},
			want: `
trust: write /etc/pki/ca-trust/source/anchors/corp-1.crt (0644)
| -----BEGIN CERTIFICATE-----
| b25l
| -----END CERTIFICATE-----
trust: write /etc/pki/ca-trust/source/anchors/corp-2.crt (0644)
| -----BEGIN CERTIFICATE-----
| dHdv
| -----END CERTIFICATE-----
trust: run rebuild the trust store
| update-ca-trust
unit: configure unit crio.service (restart on [TrustedCAsConfig])`,
		},
		"names collide": {
			reason: "neither certificate is lost in silence", distribution: "flatcar",
			cas: []machine.TrustedCA{{Name: "corp-2", PEM: []byte(one)}, {Name: "corp", PEM: []byte(one + two)}},
			want: "error: doc.trustedCAs[1].name: element 0 already writes /etc/ssl/certs/corp-2.pem; give each " +
				"of them a different name",
		},
		"Windows": {
			reason: "certutil adds each to the machine's roots", distribution: "windows-server-2022",
			cas: []machine.TrustedCA{{Name: "corp", PEM: []byte(one)}},
			want: `
trust: write C:\ProgramData\machineadm\trust\corp.crt (0644)
| -----BEGIN CERTIFICATE-----
| b25l
| -----END CERTIFICATE-----
trust: run add certificates to the trust store
| certutil.exe -f -addstore Root 'C:\ProgramData\machineadm\trust\corp.crt'
| if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
unit: configure unit containerd.service (restart on [TrustedCAsConfig])`,
		},
		"none": {reason: "the store is left alone", distribution: "ubuntu"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.TrustedCAsConfig{CAs: tc.cas}
			actions, r := plugintest.Expand(t, trust.New(), plugintest.Target(t, tc.distribution), c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, trust.New(), plugintest.Target(t, "ubuntu"))
}

// TestFinalNewline ends each file with a newline: Photon's program concatenates the files.
func TestFinalNewline(t *testing.T) {
	c := machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(strings.TrimSpace(one))}}}
	actions, r := plugintest.Expand(t, trust.New(), plugintest.Target(t, "photon"), c)
	if len(actions) == 0 {
		t.Fatal(r)
	}
	file, ok := actions[0].Do.(action.WriteFile)
	if content, _ := file.Content.Static(); !ok || string(content) != one {
		t.Errorf("wrote %q, want %q", content, one)
	}
}

// TestRenewal has the store forget certificates that are gone.
func TestRenewal(t *testing.T) {
	for distribution, want := range map[string]string{
		"ubuntu": "update-ca-certificates --fresh", "rhel": "update-ca-trust", "opensuse-microos": "update-ca-certificates",
		"flatcar": "update-ca-certificates",
	} {
		actions, r := plugintest.Expand(t, trust.New(), plugintest.Target(t, distribution),
			machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(one)}}})
		if len(actions) != 3 {
			t.Fatalf("%s: %v", distribution, r)
		}
		if c, ok := actions[1].Do.(action.RunCommand); !ok || c.Renew != want || c.Undo != "" {
			t.Errorf("%s: %+v", distribution, actions[1].Do)
		}
	}
}

func TestExpandWithoutStore(t *testing.T) {
	target := plugintest.Target(t, "ubuntu")
	target.Profile.Trust.Directory = ""
	actions, r := plugintest.Expand(t, trust.New(), target,
		machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(one)}}})
	plugintest.Check(t, "a certificate that would not be trusted is refused",
		"error: doc: the trust store of Ubuntu is not known; write the files and run the "+
			"command that the system needs", actions, r)
}

func TestConfiguredRuntime(t *testing.T) {
	c := machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte(one)}}}
	actions, _ := plugintest.Expand(t, trust.New(), plugintest.Target(t, "ubuntu"), c, machine.CRIOConfig{})
	if got := plugintest.Text(actions, nil); !strings.Contains(got, "unit crio.service (restart") ||
		strings.Contains(got, "containerd") {
		t.Errorf("the runtime that is configured does not read the trust store again:\n%s", got)
	}
}
