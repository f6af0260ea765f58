package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/test/controlplane"
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
	if _, err := programs.Script(ctx, "packages.sh", "qemu-system-x86", "qemu-utils", "squashfs-tools"); err != nil {
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
	extension, err := writeExtension(ctx, files)
	if err != nil {
		return err
	}
	for name, path := range map[string]string{"IMAGE_SHA256": copied, "EXTENSION_SHA256": extension} {
		digest, err := digestOf(path)
		if err != nil {
			return err
		}
		v.digests = append(v.digests, name, digest)
	}
	return nil
}

// writeExtension builds the system extension with the script of docs/install.md, and returns its path.
func writeExtension(ctx context.Context, directory string) (string, error) {
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/install.md"))
	if err != nil {
		return "", err
	}
	script := regexp.MustCompile("(?s)```sh extension\\.sh\n(.*?)```").FindSubmatch(page)
	if script == nil {
		return "", errors.New("docs/install.md has no script extension.sh")
	}
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		program, err := controlplane.Tool(ctx, name)
		if err != nil {
			return "", err
		}
		if err := os.Symlink(program, filepath.Join(directory, name)); err != nil {
			return "", err
		}
	}
	build := exec.CommandContext(ctx, "sh", "-c", string(script[1]))
	build.Dir = directory
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the system extension: %w\n%s", err, out)
	}
	return filepath.Join(directory, "kubernetes-v1.36.3-x86-64.raw"), nil
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
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
