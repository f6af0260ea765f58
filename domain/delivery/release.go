package delivery

import (
	"slices"
	"strings"
)

// ReleaseFile is the default file name of the agent in a release.
const ReleaseFile = "machineadm-linux-{arch}"

// Release contains the signed checksums of a release of the agent.
type Release struct {
	// File is the file name of the agent in the checksums. {version} and {arch} are replaced. Default: ReleaseFile.
	File string
	// Checksums is the output of sha256sum(1). Signature is the signature of Checksums, in base64. PublicKey is the
	// public key that verifies it, in PEM.
	Checksums, Signature, PublicKey []byte
}

// Digest returns the digest of the file in the checksums, in lower-case hexadecimal, and the names of all files. digest
// is empty if there is none, or if the checksums contain different digests of the file.
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
