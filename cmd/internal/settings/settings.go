// Package settings reads the settings of plugins from files that the administrator of the machine writes. They are not
// part of the machine configuration, which may come from another source.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// Folder is the directory of the settings.
const Folder = "/etc/machineadm/encryption"

// Read decodes the settings of the provider from the YAML file Folder/<provider>.yaml. An unknown field is an error. If
// the file does not exist, into is not changed.
func Read(folder, provider string, into any) error {
	path := filepath.Join(folder, provider+".yaml")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		return quiet(path, err)
	}
	return nil
}

var unknownPattern = regexp.MustCompile(`unknown field "([^"]*)"$`)

// quiet returns the error with the field that is not known, or with the kind of mistake and its line, and without what
// the decoder quotes.
func quiet(path string, err error) error {
	if m := unknownPattern.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s: there is no field %s", path, m[1])
	}
	f := structured.Malformed("", "this cannot be read", err)
	return fmt.Errorf("%s:%d: %s", path, max(f.Line, 1), f.Message)
}

// Secret reads a file without its final line end. The file must be readable by the user of this process only. A process
// of another user than root may also read it as a member of its group if root owns it: kubelet gives files of a mounted
// Secret to root and to the group spec.securityContext.fsGroup of the Pod, with the mode 0440.
func Secret(path string) (secret.Value, error) {
	info, err := os.Stat(path)
	if err != nil {
		return secret.Value{}, err
	}
	if exposed(info) {
		return secret.Value{}, fmt.Errorf("others than its owner can read or write %s; make its mode 0600, or mount its "+
			"Secret with the mode 0400 and with fsGroup", path)
	}
	held, err := os.ReadFile(path)
	return secret.New(indirect.Passphrase(held)), err
}

// process is the effective user and the groups of a process.
type process struct {
	user   int
	groups []int
}

// opens reports whether the mode of a file with this owner and group permits others to read or write it.
func (p process) opens(mode fs.FileMode, owner, group int) bool {
	others := mode & 0o077
	if others == 0o040 && owner == 0 && p.user != 0 && slices.Contains(p.groups, group) {
		return false
	}
	return others != 0
}
