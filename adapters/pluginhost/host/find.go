// Package host finds external plugins, decides whether they can be trusted, starts them and communicates with them.
//
// Plugins run as root. Therefore a plugin is started only if its file and all parent directories belong to root and no
// other user can write to them. A plugin does not receive the agent's environment. It communicates over a socket in a
// separate directory, with TLS keys that are created for each process.
package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// Type is the purpose of a plugin. It is the prefix of the plugin's file name.
type Type string

// The types of plugins. The prefixes are those of the proposal.
const (
	TypeContainerRuntime Type = "machineadm-container-runtime-plugin-"
	TypeTimeSync         Type = "machineadm-timesync-plugin-"
	TypeRemote           Type = "machineadm-remote-configuration-provider-"
	TypeEncryption       Type = "machineadm-plugin-encryption-provider-"
	// TypeDocument is for plugins that expand kinds of documents without a core plugin.
	TypeDocument Type = "machineadm-document-plugin-"
	// TypeReporter is for plugins that publish the status of the bootstrap.
	TypeReporter Type = "machineadm-reporter-plugin-"
)

// Types returns all types.
func Types() []Type {
	return []Type{TypeContainerRuntime, TypeTimeSync, TypeRemote, TypeEncryption, TypeDocument, TypeReporter}
}

// File is the file of a plugin.
type File struct {
	Type Type
	// Name is the file name without its prefix, such as containerd.
	Name string
	Path string
	// SHA256 is the digest that userdata requires, or empty without a pin.
	SHA256 string
}

// Directories returns the directories of plugins, in the order in which they are searched.
func Directories() []string {
	if runtime.GOOS == "windows" {
		return []string{`C:\Program Files\machineadm\plugins`}
	}
	return []string{"/usr/libexec/machineadm", "/usr/local/libexec/machineadm"}
}

// Search configures the search for plugins.
type Search struct {
	Directories []string
	// Pins maps file names, such as machineadm-timesync-plugin-ptp, to required digests.
	Pins map[string]string
	// Trust returns an error if a file must not be used. The default requires that root owns the file and its parent
	// directories.
	Trust func(path string) error
}

// Candidate is a file with the name of a plugin.
type Candidate struct {
	File
	// Refused is the reason why the file cannot be used, or nil if it can.
	Refused error
}

// Candidates returns the files in the order of the directories, then of their names. Of several files with the same
// name, it omits those after the first that can be used. The error names directories that cannot be read; the result
// contains the files of all others.
func (s Search) Candidates() ([]Candidate, error) {
	var all []Candidate
	var unread error
	trust := s.Trust
	if trust == nil {
		trust = trusted
	}
	for _, dir := range s.Directories {
		dir, entries, err := list(dir)
		unread = errors.Join(unread, err)
		for _, e := range entries {
			f, is := plugin(dir, e.Name())
			if !is || slices.ContainsFunc(all, func(o Candidate) bool { return o.Refused == nil && o.Base() == f.Base() }) {
				continue
			}
			f.SHA256 = s.Pins[f.Base()]
			all = append(all, Candidate{f, errors.Join(trust(f.Path), f.verify())})
		}
	}
	return all, unread
}

// Find returns the plugins that can be used, and a warning for each of the others.
func (s Search) Find() ([]File, report.Report) {
	candidates, err := s.Candidates()
	var files []File
	var r report.Report
	if err != nil {
		r = append(r, report.Warningf("plugins", "%v", err))
	}
	for _, c := range candidates {
		if c.Refused != nil {
			r = append(r, report.Warningf("plugins", "%s is not used: %v", c.Path, c.Refused))
			continue
		}
		files = append(files, c.File)
	}
	return files, r
}

// list returns the folder without symbolic links in its path, and what is in it; a folder that is missing is empty. A
// relative one, as PATH may have it, means another folder each time, and is passed over.
func list(dir string) (string, []fs.DirEntry, error) {
	if !filepath.IsAbs(dir) {
		return dir, nil, nil
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir, nil, unlessMissing(err)
	}
	entries, err := os.ReadDir(resolved)
	return resolved, entries, unlessMissing(err)
}

func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Base returns the file name without .exe.
func (f File) Base() string { return string(f.Type) + f.Name }

// Pinned reports whether userdata sets the digest of the file.
func (f File) Pinned() bool { return f.SHA256 != "" }

func plugin(dir, name string) (File, bool) {
	for _, t := range Types() {
		if rest, is := strings.CutPrefix(strings.TrimSuffix(name, ".exe"), string(t)); is && rest != "" {
			return File{Type: t, Name: rest, Path: filepath.Join(dir, name)}, true
		}
	}
	return File{}, false
}

// Digest returns the SHA-256 of the file in hexadecimal.
func (f File) Digest() (string, error) {
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

func (f File) verify() error {
	if !f.Pinned() {
		return nil
	}
	is, err := f.Digest()
	if err == nil && !strings.EqualFold(is, f.SHA256) {
		err = fmt.Errorf("sha256 mismatch: got %s, want the pinned %s", is, f.SHA256)
	}
	return err
}
