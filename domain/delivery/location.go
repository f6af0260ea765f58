package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// MaxStored is the maximum size in bytes of a configuration that a machine fetches. It exceeds the size of the Secret
// from which a storage reads the configuration.
const MaxStored = 8 << 20

// Location is where a machine fetches its stored configuration.
type Location struct {
	// URL is http or https. Any client that has a signed URL can fetch the data.
	URL secret.Value
	// Headers are the headers of the request, in this order.
	Headers []Header
	// CABundle contains PEM certificates of authorities that are trusted in addition to the system's.
	CABundle []byte
	// SHA256 and SHA512 are the digests of the bytes at the URL, in lower-case hexadecimal.
	SHA256, SHA512 string
	// Expires is when the URL expires, or zero if it does not.
	Expires time.Time
	// Include makes the stub of cloud-init an #include, which does not verify a digest.
	Include bool
}

// fingerprintDigits is the length of a fingerprint in hexadecimal digits.
const fingerprintDigits = 16

// Fingerprint returns a digest of the URL, the headers and the CA bundle of the location. It changes if the storage
// signs a new URL, and does not depend on the stored bytes. It reveals no secret. It is empty for the zero Location.
func (l Location) Fingerprint() string {
	if l.URL.IsZero() {
		return ""
	}
	parts := [][]byte{l.URL.Reveal(), l.CABundle}
	for _, h := range l.Headers {
		parts = append(parts, []byte(h.Name), h.Value.Reveal())
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])[:fingerprintDigits]
}

// Header is a header of a request. Its value may be a credential.
type Header struct {
	Name  string
	Value secret.Value
}

// Check returns findings if machines cannot fetch from the location. The findings contain neither the URL nor values of
// headers.
func (l Location) Check(at report.Path) report.Report {
	var found report.Report
	raw := string(l.URL.Reveal())
	u, err := url.Parse(raw)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" ||
		strings.ContainsFunc(raw, unprintable):
		found = append(found, report.Errorf(at.Field("url"), "this is not an http or https URL"))
	case u.User != nil:
		found = append(found, report.Errorf(at.Field("url"), "the URL contains a user name").To("use a header"))
	}
	found = append(found, checkDigest(at.Field("sha256"), l.SHA256, 64)...)
	found = append(found, checkDigest(at.Field("sha512"), l.SHA512, 128)...)
	for i, h := range l.Headers {
		if !h.valid() {
			found = append(found, report.Errorf(at.Field("headers").Index(i), "this is not an HTTP header"))
		}
		if slices.ContainsFunc(l.Headers[:i], func(o Header) bool { return strings.EqualFold(o.Name, h.Name) }) {
			found = append(found, report.Errorf(at.Field("headers").Index(i), "the header %q is set twice", h.Name))
		}
	}
	return found
}

func checkDigest(at report.Path, digest string, digits int) report.Report {
	raw, err := hex.DecodeString(digest)
	if err == nil && len(digest) == digits && hex.EncodeToString(raw) == digest {
		return nil
	}
	return report.Report{report.Errorf(at, "this is not a digest of %d lower-case hexadecimal digits", digits)}
}

// valid reports whether the name is a token and the value consists of printable ASCII (RFC 9110, sections 5.1 and 5.5).
func (h Header) valid() bool {
	const marks = "!#$%&'*+-.^_`|~"
	odd := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune(marks, r)
	}
	value := string(h.Value.Reveal())
	return h.Name != "" && !strings.ContainsFunc(h.Name, odd) && strings.TrimSpace(value) == value &&
		!strings.ContainsFunc(value, func(r rune) bool { return r != ' ' && unprintable(r) })
}

// unprintable reports whether a rune is anything but visible ASCII.
func unprintable(r rune) bool { return r <= ' ' || r > '~' }

// StorageRef names a storage resource in the namespace of the object that refers to it.
type StorageRef struct{ Group, Kind, Name string }

// String returns kind.group/name.
func (r StorageRef) String() string { return r.Kind + "." + r.Group + "/" + r.Name }

// IsZero reports whether no storage is named.
func (r StorageRef) IsZero() bool { return r == StorageRef{} }
