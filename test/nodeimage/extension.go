package nodeimage

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

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// WriteExtension builds the system extension with Kubernetes by the script of docs/install.md, in an existing
// directory, and returns its path.
func WriteExtension(ctx context.Context, directory string) (string, error) {
	if _, err := programs.Script(ctx, "packages.sh", "squashfs-tools"); err != nil {
		return "", err
	}
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
	return filepath.Join(directory, "kubernetes-"+KubernetesVersion+"-x86-64.raw"), nil
}

// Digest returns the SHA-256 digest of a file in hexadecimal.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}
