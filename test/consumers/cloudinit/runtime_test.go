package cloudinit_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// runtimeNode is the first machine of a cluster. It does not name the socket of the container runtime.
const runtimeNode = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo, namespace: default}
spec:
  controlPlaneEndpoint: {host: demo.example, port: 6443}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: first
  namespace: default
  labels: {cluster.x-k8s.io/cluster-name: demo, cluster.x-k8s.io/control-plane: ""}
spec:
  clusterName: demo
  version: VERSION
  bootstrap:
    configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: first}
  infrastructureRef: {apiGroup: infrastructure.example, kind: ExampleMachine, name: first}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: first, namespace: default}
spec:
  os: {distribution: debian, version: RELEASE}
  node: {advertiseAddress: 198.51.100.7}
  machine:
    kubernetes: {provision: Image}
    preCommands: [systemctl enable --now RUNTIME]
`

// systemctlOfRuntimes is a stub that starts a process which listens on the socket of the runtime, for Debian has no
// package of CRI-O.
const systemctlOfRuntimes = stub + `case "$*" in
  *crio) socket=/run/crio/crio.sock ;;
  *containerd) socket=/run/containerd/containerd.sock ;;
  *) exit ;;
esac
mkdir -p "${socket%/*}"
setsid python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen()
while True:
    s.accept()
' "$socket" >/dev/null 2>&1 </dev/null &
while [ ! -S "$socket" ]; do sleep 0.1; done
`

// kubeletStart is the part of real kubeadm that detects the runtime and writes the configuration of kubelet.
const kubeletStart = "#!/bin/sh\nexec /usr/bin/kubeadm init phase kubelet-start --config \"$3\"\n"

// TestKubeadmDetectsTheRuntime boots Debian by real cloud-init with a process on the socket of a container runtime in
// place of the runtime. kubelet gets the socket that real kubeadm detects.
func TestKubeadmDetectsTheRuntime(t *testing.T) {
	kubeadm := debian.Tool(t, "kubeadm")
	version := debian.Output(t, kubeadm, "version", "-o", "short")
	machineadmctl, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	for runtime, want := range map[string]string{
		"crio":       `containerRuntimeEndpoint: "unix:///var/run/crio/crio.sock"`,
		"containerd": `containerRuntimeEndpoint: "unix:///var/run/containerd/containerd.sock"`,
	} {
		t.Run(runtime, func(t *testing.T) {
			eachSuite(t, trixie, func(t *testing.T, suite string) {
				command := exec.CommandContext(t.Context(), machineadmctl, "render", "-f", "-")
				command.Stdin = strings.NewReader(strings.NewReplacer("VERSION", version, "RUNTIME", runtime,
					"RELEASE", map[string]string{bookworm: `"12"`, trixie: `"13"`}[suite]).Replace(runtimeNode))
				var stderr bytes.Buffer
				command.Stderr = &stderr
				userdata, err := command.Output()
				if err != nil {
					t.Fatalf("%v\n%s", err, stderr.String())
				}
				m := newMachine(t, suite)
				m.Put(t, "/usr/local/sbin/systemctl", systemctlOfRuntimes, 0o755)
				m.Put(t, "/usr/local/sbin/kubeadm", kubeletStart, 0o755)
				m.Install(t, "/usr/bin/kubeadm", kubeadm)
				m.boot(t, userdata)
				if config := m.Read(t, "/var/lib/kubelet/instance-config.yaml"); !strings.Contains(config, want) || !m.sentinel() {
					t.Errorf("sentinel %v, %s does not contain %s\n%s", m.sentinel(), config, want, m.Log())
				}
			})
		})
	}
}
