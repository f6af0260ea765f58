package delivery

import (
	"slices"
	"strings"
)

// ReleaseFile is the agent's name among the files of a release.
const ReleaseFile = "machineadm-linux-{arch}"

// Release is what was published with an agent.
type Release struct {
	// File is the agent's name among the checksums; {version} and {arch} are replaced. Empty is ReleaseFile.
	File string
	// Checksums are lines as sha256sum(1) writes them. Signature is theirs, in base64, and PublicKey that of who releases,
	// in PEM.
	Checksums, Signature, PublicKey []byte
}

// Digest returns the digest that the checksums have of the file, in lower-case hexadecimal, and the names of all files.
// Two digests of one name are none.
func (r Release) Digest(file string) (digest string, names []string) {
	for line := range strings.Lines(string(r.Checksums)) {
		sum, name, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		// A star marks a file that was read in binary mode.
		name = strings.TrimPrefix(strings.TrimLeft(name, " "), "*")
		if len(sum) != 64 || strings.Trim(sum, "0123456789abcdef") != "" || name == "" {
			continue
		}
		if name == file && digest == "" {
			digest = sum
		} else if name == file && digest != sum {
			return "", names
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return digest, names
}
