//go:build linux

package nodes_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/nightly"
)

// record is the record of a failure.
type record struct {
	Phase, Step, Action, Cause, Log string
	ExitCode                        int
}

// joinsFail boots machines that cannot join the cluster. Each leaves a record that names the phase and the cause, and
// no sentinel.
func (c *cluster) joinsFail(t *testing.T) {
	const joins = "run kubeadm join"
	cases := []struct {
		reason string
		order  order
		want   record
	}{
		{
			reason: "the machine was given another CA than the cluster's",
			order:  order{name: "hash", forge: otherCA},
			want:   record{Phase: "join", Action: joins, ExitCode: 1, Cause: "none of the public keys"},
		},
		{
			reason: "a token that has ended opens nothing",
			order:  order{name: "token", life: -time.Hour},
			want: record{
				Phase: "join", Action: joins, ExitCode: 1,
				Cause: "could not find a JWS signature in the cluster-info ConfigMap for token ID",
			},
		},
		{
			reason: "an image without kubelet makes no node",
			order:  order{name: "kubelet", breaks: "rm /usr/bin/kubelet"},
			want: record{
				Phase: "join", Action: joins, ExitCode: 1,
				Cause: "[ERROR KubeletVersion]: couldn't get kubelet version",
			},
		},
		{
			reason: "what has to be before is not",
			order: order{name: "command", edit: []string{
				"[echo pre >>/var/log/phases]",
				`["echo there is no disk >&2; exit 7"]`,
			}},
			want: record{Phase: "pre", Action: "run documents[6].spec", ExitCode: 7, Cause: "exit code 7: there is no disk"},
		},
		{
			reason: "the images of the control plane come from nowhere",
			order:  order{name: "mirror", plane: true, edit: []string{gateway + ":5000", gateway + ":5999"}},
			want: record{Phase: "join", Action: joins, ExitCode: 1, Cause: "dial tcp " + gateway +
				":5999: connect: connection refused (and 4 more)"},
		},
		{
			reason: "kubelet's configuration has no room",
			order: order{name: "disk", breaks: "mount -t tmpfs -o size=4k full /var/lib/kubelet && head -c 4096 /dev/zero " +
				">/var/lib/kubelet/full"},
			want: record{Phase: "join", Action: joins, ExitCode: 1, Cause: "no space left on device"},
		},
	}
	for i, tc := range nightly.Sample(cases, 2) {
		t.Run(tc.order.name, func(t *testing.T) {
			o := tc.order
			o.number = 20 + i
			o.edit = append([]string{"discoverySeconds: 900", "discoverySeconds: 10"}, o.edit...)
			m, err := c.boot(t, o)
			if err == nil {
				t.Fatalf("%s, and the machine joined", tc.reason)
			}
			m.failed(t, tc.want)
			m.showsNoSecret(t, c.secrets...)
			m.end(t)
		})
	}
}

// otherCA gives a machine the pin of another CA.
func otherCA(userdata string) string {
	return regexp.MustCompile(`sha256:[0-9a-f]{8}`).ReplaceAllString(userdata, "sha256:00000000")
}

// failed compares the record of the machine's failure, and holds that nothing contradicts it.
func (m *machine) failed(t *testing.T, want record) {
	t.Helper()
	m.must(t, "! test -e "+sentinel+" && cmp "+failed+" /var/lib/machineadm/failure.json")
	var got record
	if err := json.Unmarshal([]byte(m.must(t, "cat "+failed)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Phase != want.Phase || got.Action != want.Action || got.ExitCode != want.ExitCode ||
		!strings.HasPrefix(got.Step, "documents[") ||
		!strings.Contains(got.Cause, want.Cause) || got.Log == "" {
		t.Errorf("the record: %+v", got)
	}
	var status reported
	out, err := m.run("machineadm status -o json")
	if json.Unmarshal([]byte(out), &status) != nil || status.State != "Failed" {
		t.Errorf("the status: %v %s", err, out)
	}
}
