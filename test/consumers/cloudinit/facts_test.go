package cloudinit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	dm "github.com/machineadm/machineadm/domain/machine"
)

// TestFactsComeFromTheInstancesData asks the real cloud-init for every fact.
func TestFactsComeFromTheInstancesData(t *testing.T) {
	const metadata = `instance-id: i-0123
local-hostname: node-1.example.org
local-ipv4: 10.1.2.3
public-ipv4: 203.0.113.7
availability-zone: eu-1a
region: eu-1
`
	var parts []document.Content
	for _, f := range document.Facts() {
		if len(facts.InstanceData(f, "")) > 0 {
			parts = append(parts, document.Text(string(f)+"="), document.FromFact(f), document.Text("\n"))
		}
	}
	const want = "hostname=node-1\nshortHostname=node-1\nfqdn=node-1.example.org\nprivateIPv4=10.1.2.3\n" +
		"publicIPv4=203.0.113.7\ninstanceID=i-0123\nregion=eu-1\nzone=eu-1a\n"
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data", metadata, 0o644)
		m.boot(t,
			render(t, target(), do(action.WriteFile{File: dm.File{Path: "/etc/facts", Content: document.Join(parts...)}}),
				join()))
		if !m.sentinel() {
			t.Fatalf("no sentinel\n%s", m.Log())
		}
		if diff := cmp.Diff(want, m.Read(t, "/etc/facts")); diff != "" {
			t.Error(diff)
		}
	})
}

// TestHostnameIsWhatThePlatformGives sets the platform, or lets the machine find out.
func TestHostnameIsWhatThePlatformGives(t *testing.T) {
	cases := map[string]struct{ reason, platform, want string }{
		"AWS":       {"its cloud provider finds nodes by the private DNS name", "aws", "node-1.example.org"},
		"OpenStack": {"its cloud provider finds nodes by the server's name", "openstack", "node-1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			on := target()
			on.Platform = tc.platform
			m := newMachine(t, "trixie")
			m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data", "instance-id: i-1\nlocal-hostname: node-1.example.org\n", 0o644)
			m.boot(t, render(t, on,
				do(action.WriteFile{File: dm.File{Path: "/etc/facts", Content: document.FromFact(document.FactHostname)}}), join()))
			if got := m.Read(t, "/etc/facts"); got != tc.want {
				t.Errorf("%q, though %s", got, tc.reason)
			}
		})
	}
}

func TestUnknownFactFailsLoudly(t *testing.T) {
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.boot(t, render(t, target(),
			do(action.WriteFile{File: dm.File{Path: "/etc/facts", Content: document.FromFact(document.FactPublicIPv4)}}),
			join()))
		if got := m.failure(t); got.Phase != "file" || got.Step != "steps[0]" || m.Exists("/etc/facts") || m.sentinel() {
			t.Errorf("record %+v", got)
		}
	})
}
