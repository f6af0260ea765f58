package response

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// encoded returns a line of a response with a value in base64.
func encoded(name, value string) string {
	return name + " " + base64.StdEncoding.EncodeToString([]byte(value)) + "\n"
}

func TestObservation(t *testing.T) {
	failed := "phase Failed\n"
	cases := map[string]struct {
		response string
		want     ports.HostObservation
	}{
		"names and addresses": {
			"phase Succeeded\n" + encoded("hostname", "node-1\n") + encoded("provider", "machineadm-hosts:///a/b") +
				encoded("addresses", "1: lo    inet 127.0.0.1/8 scope host lo\n"+
					"2: eth0    inet 192.0.2.10/24 brd 192.0.2.255 scope global eth0\n"+
					"2: eth0    inet6 2001:db8::2/64 scope global\n"+
					"2: eth0    inet6 fe80::2/64 scope link\n"+
					"3: cni0    inet 10.244.0.1/24 scope global cni0\n"+
					"4: eth1    inet 192.0.2.9/24 scope global eth1\n"),
			ports.HostObservation{
				Phase: host.PhaseSucceeded, Hostname: "node-1", ProviderID: "machineadm-hosts:///a/b",
				Addresses: []string{"192.0.2.9", "192.0.2.10", "2001:db8::2"},
			},
		},
		"invalid names are empty": {
			"phase Running\n" + encoded("hostname", "a b") + encoded("provider", "a\x1b[2J"),
			ports.HostObservation{Phase: host.PhaseRunning},
		},
		"a record of the agent": {
			failed + encoded("record", `{"phase":"join","step":"spec","action":"run kubeadm","cause":"refused","exitCode":1}`),
			ports.HostObservation{Phase: host.PhaseFailed, Failure: "phase join: run kubeadm: refused"},
		},
		"a record of the bootstrap program": {
			failed + encoded("record", `{"phase":"pre","step":"spec.commands[0]","exitCode":3,"log":"one\ntwo\n"}`),
			ports.HostObservation{Phase: host.PhaseFailed, Failure: "phase pre: spec.commands[0]: exit code 3: two"},
		},
		"a log without a record": {
			failed + "code 7\n" + encoded("log", "there is no disk\n") + encoded("record", "{"),
			ports.HostObservation{Phase: host.PhaseFailed, Failure: "exit code 7: there is no disk"},
		},
		"success without a sentinel": {
			failed + "detail unconfirmed\ncode 0\n",
			ports.HostObservation{
				Phase:   host.PhaseFailed,
				Failure: "the data ended without /run/cluster-api/bootstrap-success.complete",
			},
		},
		"secrets are removed": {
			failed + "code 1\n" + encoded("log", "token abcdef.0123456789abcdef"),
			ports.HostObservation{Phase: host.PhaseFailed, Failure: "exit code 1: token [redacted]"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := Parse([]byte(c.response + "end\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, r.Observation()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProbeResult(t *testing.T) {
	r, err := Parse([]byte("architecture aarch64\ncpus 4\nmemory 1024\ndisk 2048\n" +
		encoded("os", "NAME=x\nPRETTY_NAME=\"Flatcar \x1b[2J1\"\n") + "end\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := ports.HostProbe{
		Architecture: "arm64", OSImage: "Flatcar [2J1", CPUs: 4, MemoryBytes: 1 << 20, DiskFreeBytes: 2 << 20,
	}
	if diff := cmp.Diff(want, r.Probe()); diff != "" {
		t.Error(diff)
	}
}

func TestMalformedResponses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                "",
		"no last line":         "phase Running\n",
		"text after the end":   "end\nmore\n",
		"text before the end":  "phase Runningend\n",
		"a text of the login":  "Welcome to the host\nphase Running\nend\n",
		"an unknown name":      "color red\nend\n",
		"an unknown phase":     "phase Dancing\nend\n",
		"a fault of the model": "fault HostKeyChanged\nend\n",
		"a name twice":         "phase Running\nphase Failed\nend\n",
		"invalid base64":       "log a\nend\n",
		"a control character":  "detail a\x1b\nend\n",
		"a number":             "code 99999999999999999999\nend\n",
	} {
		if r, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: the response is %+v", name, r)
		}
	}
}

// FuzzResponse parses responses of a hostile host: what reaches objects is limited and has no control characters.
func FuzzResponse(f *testing.F) {
	f.Add([]byte("phase Failed\ncode 3\n" + encoded("log", "x\n") + encoded("addresses", "2: e inet 1.2.3.4/5") + "end\n"))
	f.Add([]byte("fault NotClean\ndetail kubelet\nend\n"))
	f.Add([]byte("architecture x86_64\ncpus 2\n" + encoded("os", "PRETTY_NAME=a") + "end\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		o, p := r.Observation(), r.Probe()
		if len(o.Failure) > host.MaxFailure || len(o.Hostname) > host.MaxHostname || len(o.ProviderID) > 256 ||
			len(o.Addresses) > host.MaxAddresses || len(p.OSImage) > host.MaxOSImage || len(p.Architecture) > 32 {
			t.Errorf("too long: %+v %+v", o, p)
		}
		shown := strings.Join(append(o.Addresses, o.Failure, o.Hostname, o.ProviderID, p.OSImage, p.Architecture), "")
		if strings.ContainsFunc(shown, unicode.IsControl) {
			t.Errorf("a control character: %q", shown)
		}
		if p.MemoryBytes < 0 || p.DiskFreeBytes < 0 || p.CPUs < 0 {
			t.Errorf("a negative number: %+v", p)
		}
		if err := r.Failure(); err != nil && len(err.Error()) > 300 {
			t.Errorf("a long error: %v", err)
		}
	})
}
