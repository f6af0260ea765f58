// Package host finds external plugins, decides whether they can be trusted, starts them and communicates with them.
//
// Plugins run as root. So a plugin is started only if its file and all folders above it belong to root and no other
// user can write them. It does not see the agent's environment, and it communicates over a socket in a folder of its
// own with keys that were created for this one process.
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

// Type is what a plugin is for; its file's name begins with it.
type Type string

// The types of plugins, by the proposal's names for their files.
const (
	TypeContainerRuntime Type = "machineadm-container-runtime-plugin-"
	TypeTimeSync         Type = "machineadm-timesync-plugin-"
	TypeRemote           Type = "machineadm-remote-configuration-provider-"
	TypeEncryption       Type = "machineadm-plugin-encryption-provider-"
	// TypeDocument expands kinds of documents that machineadm does not know.
	TypeDocument Type = "machineadm-document-plugin-"
	// TypeReporter publishes how the bootstrap goes.
	TypeReporter Type = "machineadm-reporter-plugin-"
)

// Types returns all types.
func Types() []Type {
	return []Type{TypeContainerRuntime, TypeTimeSync, TypeRemote, TypeEncryption, TypeDocument, TypeReporter}
}

// File is a plugin that was found.
type File struct {
	Type Type
	// Name is the end of the file's name, such as containerd.
	Name string
	Path string
	// SHA256 is the digest that userdata pins; empty if it pins none.
	SHA256 string
}

// Directories returns the folders of plugins, in the order in which they are searched.
func Directories() []string {
	if runtime.GOOS == "windows" {
		return []string{`C:\Program Files\machineadm\plugins`}
	}
	return []string{"/usr/libexec/machineadm", "/usr/local/libexec/machineadm"}
}

// Search sets where plugins are searched.
type Search struct {
	Directories []string
	// Pins are digests by the file's name, such as machineadm-timesync-plugin-ptp.
	Pins map[string]string
	// Trust decides about a file; nil asks that root owns it and all above it.
	Trust func(path string) error
}

// Candidate is a file that has a plugin's name.
type Candidate struct {
	File
	// Refused is why it cannot be used; nil if it can.
	Refused error
}

// Candidates returns the plugins in the order of the folders and of their names. Of two with one name it returns the
// first usable one and omits the later ones. The error lists folders that cannot be read; the others were read.
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

// Find returns the plugins that can be used. The others are warnings.
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

// Base returns the name of the file, without .exe.
func (f File) Base() string { return string(f.Type) + f.Name }

// Pinned reports whether userdata vouches for the file.
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
		err = fmt.Errorf("its digest is %s and not the pinned %s", is, f.SHA256)
	}
	return err
}
