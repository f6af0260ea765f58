package indirect

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrURI means that a URI has another grammar than its provider's.
var ErrURI = errors.New("not a URI that is understood")

// KeyURI is where a provider with a key management service has a passphrase: in the URI itself, wrapped by a key of
// that service.
//
//	kms://<base64>@<key>[?<name>=<base64>[&<name>=<base64>]...]
//
// The base64 is that of RFC 4648 section 4, with padding. The key is what the service calls it: an ARN, a PKCS#11 URI.
// Bytes of it that are not printable ASCII, and the characters % ? and #, are written as %XX. The proposal writes
// kms://ZW5jcnlwdGVk@arn:aws:kms:us-west-2:111122223333:key/1234abcd-…, which package net/url takes for a bad port.
type KeyURI struct {
	// Wrapped is the passphrase as the service encrypted it.
	Wrapped []byte
	// Key is the name of the service's key.
	Key string
	// Annotations are what the service wants to have back beside the wrapped key.
	Annotations map[string][]byte
}

// PassphraseRef names a passphrase that a provider has.
type PassphraseRef struct {
	// Provider is that of EncryptedConfig.
	Provider string
	// URI is where the provider finds the passphrase.
	URI string
	// Machine names the machine that the passphrase is for, as MachineIdentity has it. A service that can bind a wrapped
	// passphrase to a context unwraps it for this machine alone.
	Machine string
}

// keyScheme begins a KeyURI.
const keyScheme = "kms://"

// strict refuses base64 with unused bits in its last character, so that each text has one form.
func strict() *base64.Encoding { return base64.StdEncoding.Strict() }

// ParseKeyURI reads the URI. The error is ErrURI and does not show the URI.
func ParseKeyURI(text string) (KeyURI, error) {
	rest, is := strings.CutPrefix(text, keyScheme)
	wrapped, rest, found := strings.Cut(rest, "@")
	if !is || !found {
		return KeyURI{}, fmt.Errorf("%w: it has the form %s<base64>@<key>", ErrURI, keyScheme)
	}
	key, query, _ := strings.Cut(rest, "?")
	u := KeyURI{}
	var err error
	if u.Wrapped, err = decode(wrapped); err != nil || len(u.Wrapped) == 0 {
		return KeyURI{}, fmt.Errorf("%w: the text before the @ is not base64", ErrURI)
	}
	if u.Key, err = unescape(key); err != nil || u.Key == "" {
		return KeyURI{}, fmt.Errorf("%w: there is no name of a key after the @", ErrURI)
	}
	if u.Annotations, err = annotations(query); err != nil {
		return KeyURI{}, err
	}
	if u.String() != text {
		return KeyURI{}, fmt.Errorf("%w: it can be written in another way", ErrURI)
	}
	return u, nil
}

// decode reads base64 without line breaks, which the library would pass over.
func decode(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, ErrURI
	}
	return strict().DecodeString(text)
}

func annotations(query string) (map[string][]byte, error) {
	if query == "" {
		return nil, nil
	}
	all := map[string][]byte{}
	for pair := range strings.SplitSeq(query, "&") {
		name, text, found := strings.Cut(pair, "=")
		value, err := decode(text)
		if _, twice := all[name]; !found || err != nil || twice || !plainName(name) {
			return nil, fmt.Errorf("%w: there are no annotations after the ?", ErrURI)
		}
		all[name] = value
	}
	return all, nil
}

// plainName reports whether the name can be part of a URI without escaping.
func plainName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/") == ""
}

// String returns the URI. Annotations are in the order of their names.
func (u KeyURI) String() string {
	text := keyScheme + strict().EncodeToString(u.Wrapped) + "@" + escape(u.Key)
	names := make([]string, 0, len(u.Annotations))
	for name := range u.Annotations {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		mark := "&"
		if i == 0 {
			mark = "?"
		}
		text += mark + name + "=" + strict().EncodeToString(u.Annotations[name])
	}
	return text
}

const hexDigits = "0123456789ABCDEF"

func escape(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if b := s[i]; b <= ' ' || b > '~' || strings.IndexByte("%?#", b) >= 0 {
			out.WriteByte('%')
			out.WriteByte(hexDigits[b>>4])
			out.WriteByte(hexDigits[b&15])
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func unescape(s string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", ErrURI
		}
		high, low := strings.IndexByte(hexDigits, s[i+1]), strings.IndexByte(hexDigits, s[i+2])
		if high < 0 || low < 0 {
			return "", ErrURI
		}
		out.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return out.String(), nil
}

// KeyOf returns the part of a passphrase's URI that identifies the key: the service's URI of a KeyURI, otherwise the
// whole URI.
func KeyOf(uri string) string {
	if u, err := ParseKeyURI(uri); err == nil {
		return u.Key
	}
	return uri
}

// The providers that need no plugin.
const (
	// ProviderFile has the passphrase in a file of the machine: file:///etc/machineadm/passphrase.
	ProviderFile = "file"
	// ProviderRemote has the passphrase fetched as RemoteConfig is: s3://bucket/key, by the plugin
	// machineadm-remote-configuration-provider-s3.
	ProviderRemote = "remote"
)

// FilePath returns the path of a file:// URI, which is absolute and has no host. No character is escaped.
func FilePath(uri string) (string, error) {
	path, is := strings.CutPrefix(uri, "file://")
	if !is || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#%\x00") ||
		slices.Contains(strings.Split(path, "/"), "..") {
		return "", fmt.Errorf("%w: it has the form file:///path, without %%, ? and #", ErrURI)
	}
	return path, nil
}

// Scheme returns the text before ://, such as s3 of s3://us-west-2.cluster-api.contoso.com/bootstrap/machine.yaml.
func Scheme(uri string) (string, error) {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found || rest == "" || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return "", fmt.Errorf("%w: it has the form <scheme>://<place>", ErrURI)
	}
	return scheme, nil
}

// Passphrase returns the passphrase that a file or an object holds: all of it but for one line end, which editors add.
func Passphrase(held []byte) []byte {
	text := strings.TrimSuffix(string(held), "\n")
	return []byte(strings.TrimSuffix(text, "\r"))
}
