package endpoint

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// agentPattern matches the file names of agents. The default version has no suffix after the architecture; other
// versions have one.
var agentPattern = regexp.MustCompile(`^machineadm-(linux|windows)-(amd64|arm64)(-[0-9A-Za-z.+_-]+)?(\.exe)?$`)

// Program is one build of the agent.
type Program struct {
	// OS and Architecture are GOOS and GOARCH.
	OS, Architecture string
	// SHA256 is the hexadecimal digest of the file.
	SHA256 string
	// Current reports whether new machines use the program.
	Current bool
	path    string
}

// Agents contains the programs of a directory. It is immutable.
type Agents struct{ programs []Program }

// ReadAgents reads a directory with files such as machineadm-linux-amd64. A suffix names another version, as in
// machineadm-linux-amd64-v0.1.0.
func ReadAgents(dir string) (*Agents, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the agents: %w", err)
	}
	a := &Agents{}
	for _, e := range entries {
		match := agentPattern.FindStringSubmatch(e.Name())
		if match == nil {
			continue
		}
		p := Program{OS: match[1], Architecture: match[2], Current: match[3] == "", path: filepath.Join(dir, e.Name())}
		if p.SHA256, err = digest(p.path); err != nil {
			return nil, fmt.Errorf("read the agent %s: %w", e.Name(), err)
		}
		a.programs = append(a.programs, p)
	}
	if len(a.programs) == 0 {
		return nil, fmt.Errorf("read the agents: %s holds no file such as machineadm-linux-amd64", dir)
	}
	return a, nil
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// Current returns the digest of the program for new machines, or empty if there is none for the operating system and
// architecture.
func (a *Agents) Current(system, architecture string) string {
	p, _ := a.find(system, architecture, "")
	return p.SHA256
}

// find returns the program with the digest, or the current one if the digest is empty. Userdata may pin a digest, since
// the controller may be upgraded before the machine boots.
func (a *Agents) find(system, architecture, digest string) (Program, bool) {
	i := slices.IndexFunc(a.programs, func(p Program) bool {
		return p.OS == system && p.Architecture == architecture && (p.SHA256 == digest || digest == "" && p.Current)
	})
	if i < 0 {
		return Program{}, false
	}
	return a.programs[i], true
}

// serve sends the file, or the requested range of it, with its digest (RFC 9530).
func (p Program) serve(w http.ResponseWriter, r *http.Request) {
	f, err := os.Open(p.path)
	if err != nil {
		answer(w, http.StatusServiceUnavailable)
		return
	}
	defer func() { _ = f.Close() }() // the file is only read
	raw, err := hex.DecodeString(p.SHA256)
	if err != nil {
		answer(w, http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "public, no-cache")
	w.Header().Set("ETag", `"`+p.SHA256+`"`)
	w.Header().Set("Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(raw)+":")
	http.ServeContent(w, r, "", time.Time{}, f)
}
