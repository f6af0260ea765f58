//go:build linux && !unit

package ssh

import (
	"os/exec"
	"strings"
	"testing"
)

// TestKubeletOfTheHost checks that neither a user of the host nor a container, such as a Pod of the cluster, can
// pretend to be the kubelet of the host. It runs host.sh in a PID namespace of its own.
func TestKubeletOfTheHost(t *testing.T) {
	const start = `cp -- "$(command -v sleep)" "$1/kubelet" && chmod -R a+rx "$1"
process() { "$@" >/dev/null 2>&1 & sleep 0.5; }
`
	for name, c := range map[string]struct {
		process string
		found   bool
	}{
		"host": {`process "$1/kubelet" 60`, true},
		"user": {`process setpriv --reuid=12345 --clear-groups "$1/kubelet" 60`, false},
		// The packages of Kubernetes start kubelet before kubeadm has configured it.
		"without configuration": {`process "$1/kubelet" 2`, false},
		"container":             {`process unshare --fork --pid --kill-child "$1/kubelet" 60`, false},
	} {
		script := start + c.process + "\nset -- none none\n" + program + "\nsettled_kubelet\n"
		run := exec.Command("unshare", "--fork", "--pid", "--mount-proc", "--kill-child", "/bin/sh", "-c", script, "sh",
			t.TempDir())
		output, err := run.CombinedOutput()
		if found := strings.TrimSpace(string(output)) != ""; err != nil || found != c.found {
			t.Errorf("%s: %v, error %v\n%s", name, found, err, output)
		}
	}
}
