package machine

import (
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Owner is the owner of a file.
type Owner struct {
	// User is a name or a number. Default: root.
	User string `json:"user,omitempty"`
	// Group is a name or a number. Default: root.
	Group string `json:"group,omitempty"`
}

// Number returns the numeric ID of a name that consists of digits, and whether it is a valid ID. 4294967295 is not:
// chown(2) reads it as "no change".
func Number(name string) (int, bool) {
	if !isDigits(name) {
		return 0, false
	}
	id, err := strconv.Atoi(name)
	return id, err == nil && id < tooLarge
}

func isDigits(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }

// Mode contains POSIX permission bits, 0 to 07777. ModeUnset means the default of the operation.
type Mode uint32

// The default modes.
const (
	// ModeUnset means the default of the operation.
	ModeUnset Mode = 0
	// DefaultFileMode is the mode of a file without permissions.
	DefaultFileMode Mode = 0o644
	// DefaultDirectoryMode is the mode of a directory without permissions.
	DefaultDirectoryMode Mode = 0o755
	// SecretFileMode is the mode of a secret file without permissions.
	SecretFileMode Mode = 0o600
)

// Or returns m, or the default when m is unset.
func (m Mode) Or(def Mode) Mode {
	if m == ModeUnset {
		return def
	}
	return m
}

// File writes a regular file.
type File struct {
	// Path is an absolute, clean path, with slashes also on Windows.
	Path string `json:"path"`
	// Content is the content of the file. Default: an empty file.
	Content document.Content `json:"content,omitempty"`
	// Mode is the permissions, in octal. Default: 0644, or 0600 if Secret is set.
	Mode Mode `json:"permissions,omitempty"`
	// Owner is the owner of the file. Its names are resolved on the machine, after users have been created.
	Owner Owner `json:"owner,omitempty"`
	// Append adds the content to an existing file instead of replacing it.
	Append bool `json:"append,omitempty"`
	// Secret marks content that came from a Secret or contains credentials.
	Secret bool `json:"secret,omitempty"`
}

// Kind returns KindFile.
func (File) Kind() document.Kind { return KindFile }

// Check returns error findings for invalid paths, modes and owner names.
func (f File) Check(p report.Path) report.Report {
	r := checkPath(p.Field("path"), f.Path)
	r = append(r, checkMode(p.Field("permissions"), f.Mode)...)
	r = append(r, checkOwner(p.Field("owner"), f.Owner)...)
	return r
}

// EffectiveMode returns Mode, or the default if it is unset: SecretFileMode if Secret is set, otherwise
// DefaultFileMode.
func (f File) EffectiveMode() Mode {
	if f.Secret {
		return f.Mode.Or(SecretFileMode)
	}
	return f.Mode.Or(DefaultFileMode)
}

// othersRead is the bit of a mode that lets every user read a file.
const othersRead Mode = 0o004

// Private reports whether the file must be private from the moment it exists: its content is secret, or its mode keeps
// other users from reading it. Every format and the agent create such a file for root alone and widen its mode only
// afterwards.
func (f File) Private() bool { return f.Secret || f.EffectiveMode()&othersRead == 0 }
