package goldens_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
	repository "github.com/machineadm/machineadm/test/programs"
)

// timeWorker has a time server and names no daemon. It waits until chronyd answers, and keeps the sources that it
// reports.
const timeWorker = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo, namespace: default}
spec:
  controlPlaneEndpoint: {host: demo.example, port: 6443}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata: {name: worker, namespace: default}
spec:
  clusterName: demo
  version: v1.36.3
  bootstrap:
    configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: worker}
  infrastructureRef: {apiGroup: infrastructure.example, kind: ExampleMachine, name: worker}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: worker, namespace: default}
spec:
  os: {distribution: debian, version: RELEASE}
  machine:
    kubernetes: {provision: Image}
    timeSync: {servers: [192.0.2.1]}
    postCommands:
    - for i in $(seq 100); do chronyc -n sources >/var/log/sources && break; sleep 0.1; done
    - systemctl is-enabled chrony.service >/var/log/enabled
`

// TestTheTimeDaemonOfAnImageIsUsed boots Debian with systemd and chrony, which replaces systemd-timesyncd, by real
// cloud-init. chronyd runs without control of the clock, which a container does not have.
func TestTheTimeDaemonOfAnImageIsUsed(t *testing.T) {
	t.Parallel()
	machineadmctl, err := repository.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	releases := map[string]string{"bookworm": `"12"`, "trixie": `"13"`}
	for suite, release := range nightly.Cases(t, releases, "bookworm") {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), machineadmctl, "render", "-f", "-")
			command.Stdin = strings.NewReader(strings.ReplaceAll(timeWorker, "RELEASE", release))
			var stderr bytes.Buffer
			command.Stderr = &stderr
			userdata, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			m := cloudImage(t, suite, userdata)
			m.Put(t, "/etc/systemd/system/chrony.service.d/10-test.conf", "[Unit]\nConditionCapability=\n"+
				"[Service]\nType=exec\nExecStart=\nExecStart=!/usr/sbin/chronyd -x -d\n", 0o644)
			m.Run(t, "./nspawn.sh")
			if sources := m.Read(t, "/var/log/sources"); !strings.Contains(sources, "192.0.2.1") || !m.Exists(sentinel) {
				t.Errorf("sentinel %v, chronyd has the sources %s\n%s", m.Exists(sentinel), sources, m.Log())
			}
			if state := m.Read(t, "/var/log/enabled"); state != "enabled\n" {
				t.Errorf("chrony is %s", state)
			}
		})
	}
}
