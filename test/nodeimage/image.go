// Package nodeimage provides what real nodes need in a network without other routes: the image from which they boot,
// and a registry with the images of their Pods. All programs are built from the modules in tools, except for runc. It
// needs root.
package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// Write fills a directory with what a node's image has in addition to the root file system of a distribution: the
// agent, containerd, kubeadm, kubelet, the network plugins bridge, host-local and loopback, and the units of the
// packages.
func Write(ctx context.Context, dir string) error {
	if _, err := programs.Script(ctx, "packages.sh", "runc", "kmod"); err != nil {
		return err
	}
	if err := writePrograms(ctx, dir); err != nil {
		return err
	}
	units := filepath.Join(dir, "usr/lib/systemd/system")
	for name, content := range map[string]string{
		"containerd.service": containerdUnit, "kubelet.service": kubeletUnit,
		"kubelet.service.d/10-kubeadm.conf": kubeadmDropIn,
	} {
		if err := write(filepath.Join(units, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return writeModules(ctx, dir)
}

func writePrograms(ctx context.Context, dir string) error {
	agent, err := programs.Build(ctx, "machineadm")
	if err != nil {
		return err
	}
	from := map[string]string{"usr/bin/machineadm": agent, "usr/sbin/runc": "/usr/sbin/runc"}
	for to, name := range map[string]string{
		"usr/bin/containerd": "containerd", "usr/bin/containerd-shim-runc-v2": "containerd-shim-runc-v2",
		"usr/bin/kubeadm": "kubeadm", "usr/bin/kubelet": "kubelet",
	} {
		if from[to], err = controlplane.Tool(ctx, name); err != nil {
			return err
		}
	}
	plugins, err := Plugins(ctx)
	if err != nil {
		return err
	}
	for name, path := range plugins {
		from["opt/cni/bin/"+name] = path
	}
	for to, name := range from {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, to), content, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Plugins returns the paths of the network plugins by their names.
func Plugins(ctx context.Context) (map[string]string, error) {
	paths := map[string]string{}
	for _, name := range []string{"bridge", "host-local", "loopback"} {
		path, err := controlplane.Tool(ctx, "cni-"+name)
		if err != nil {
			return nil, err
		}
		paths[name] = path
	}
	return paths, nil
}

// writeModules lists the kernel modules of nodes as built in: the nodes use the kernel of this host, and load none.
func writeModules(ctx context.Context, dir string) error {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return err
	}
	kernel := strings.TrimSpace(string(release))
	modules := filepath.Join(dir, "usr/lib/modules", kernel)
	err = errors.Join(
		write(filepath.Join(modules, "modules.builtin"), []byte("kernel/br_netfilter.ko\nkernel/nf_conntrack.ko\n"), 0o644),
		write(filepath.Join(modules, "modules.order"), nil, 0o644),
	)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "depmod", "-b", filepath.Join(dir, "usr"), kernel).CombinedOutput()
	if err != nil {
		return fmt.Errorf("depmod: %w\n%s", err, out)
	}
	return nil
}

func write(path string, content []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, mode)
}

// collectRarely makes a program collect garbage less often than by default, which takes a part of the processor time.
const collectRarely = "GOGC=400"

// The units of the packages.
const (
	containerdUnit = `[Service]
Type=notify
Delegate=yes
KillMode=process
Environment=` + collectRarely + `
ExecStart=/usr/bin/containerd
[Install]
WantedBy=multi-user.target
`
	kubeletUnit = `[Unit]
StartLimitIntervalSec=0
[Service]
Environment=` + collectRarely + `
ExecStart=/usr/bin/kubelet
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
`
	kubeadmDropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf ` +
		`--kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`
)
