package nodeimage

import (
	"context"
	"os"
	"path/filepath"

	"github.com/machineadm/machineadm/test/controlplane"
)

// Release is a version of Kubernetes whose programs nodes can have.
type Release struct {
	// Version is the version, such as v1.36.3.
	Version string
	// suffix is the end of the names of its programs in hack/tool.sh.
	suffix string
}

// Current is the release of most nodes.
func Current() Release { return Release{Version: KubernetesVersion} }

// Previous is the release one minor version before.
func Previous() Release { return Release{Version: PreviousVersion, suffix: "-1.35"} }

// tool returns the path of a program of the release.
func (r Release) tool(ctx context.Context, name string) (string, error) {
	return controlplane.Tool(ctx, name+r.suffix)
}

// WriteKubernetes writes kubeadm and kubelet of a release into a directory, for a layer above that of Write.
func WriteKubernetes(ctx context.Context, dir string, r Release) error {
	if err := os.MkdirAll(dir, 0o755); err != nil || r == Current() {
		return err
	}
	for _, name := range []string{"kubeadm", "kubelet"} {
		program, err := r.tool(ctx, name)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "usr/bin", name), content, 0o755); err != nil {
			return err
		}
	}
	return nil
}
