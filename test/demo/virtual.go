package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// virtualPatience is how long the demo waits for a step that an emulated machine takes part in.
const virtualPatience = 20 * time.Minute

// virtual is what a worker on a virtual machine needs. Its methods do nothing if the demo has none.
type virtual struct {
	options
	// directory is that of the driver.
	directory string
	// digests are the digests of the image and of the system extension by their names in the manifest.
	digests []string
}

func newVirtual(directory string, o options) *virtual {
	return &virtual{options: o, directory: directory}
}

// flags returns the flags of the manager that creates the machine.
func (v *virtual) flags() []string {
	if !v.virtual {
		return nil
	}
	return []string{"--virtual-machines=" + v.directory}
}

// prepare copies the image, and writes the system extension with Kubernetes to the directory of served files.
func (v *virtual) prepare(ctx context.Context, files string) error {
	if !v.virtual {
		return nil
	}
	if _, err := programs.Script(ctx, "packages.sh", "qemu-system-x86", "qemu-utils"); err != nil {
		return err
	}
	image := v.image
	if image == "" {
		var err error
		if image, err = programs.Script(ctx, "stock.sh", "flatcar"); err != nil {
			return err
		}
	}
	copied := filepath.Join(v.directory, "flatcar.img")
	if err := errors.Join(os.MkdirAll(v.directory, 0o700), os.MkdirAll(files, 0o700)); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "cp", "--sparse=always", image, copied).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the image: %w\n%s", err, out)
	}
	extension, err := nodeimage.WriteExtension(ctx, files)
	if err != nil {
		return err
	}
	for name, path := range map[string]string{"IMAGE_SHA256": copied, "EXTENSION_SHA256": extension} {
		digest, err := nodeimage.Digest(path)
		if err != nil {
			return err
		}
		v.digests = append(v.digests, name, digest)
	}
	return nil
}

// apply creates the worker.
func (v *virtual) apply(ctx context.Context, management *controlplane.ControlPlane) error {
	if !v.virtual {
		return nil
	}
	text, err := os.ReadFile(sample("demo-virtual.yaml"))
	if err != nil {
		return err
	}
	objects, err := controlplane.Decode(strings.NewReader(strings.NewReplacer(v.digests...).Replace(string(text))))
	if err != nil {
		return err
	}
	return management.Apply(ctx, objects...)
}

// close ends the machine and removes its files.
func (v *virtual) close() error {
	return errors.Join(v.sweep(context.Background()), os.RemoveAll(v.directory))
}

// sweep ends the machine, also that of a demo that was killed.
func (v *virtual) sweep(ctx context.Context) error {
	return releaseAll(ctx, v.directory, qemu.New(qemu.Config{Directory: v.directory}))
}
