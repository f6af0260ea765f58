package indirect

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrURI means that the provider cannot parse a URI.
var ErrURI = errors.New("not a valid URI for the provider")

// KeyURI is the URI of a passphrase for providers with a key management service. It contains the passphrase, wrapped by
// a key of that service.
//
//	kms://<base64>@<key>[?<name>=<base64>[&<name>=<base64>]...]
//
// The base64 is standard base64 with padding (RFC 4648, section 4). The key is the name in the service, such as an ARN
// or a PKCS#11 URI. In the key, bytes that are not printable ASCII and the characters %, ? and # are escaped as %XX.
// The proposal writes kms://ZW5jcnlwdGVk@arn:aws:kms:us-west-2:111122223333:key/1234abcd-…, which package net/url
// rejects because of its port.
type KeyURI struct {
	// Wrapped is the encrypted passphrase.
	Wrapped []byte
	// Key is the name of the key in the service.
	Key string
	// Annotations are further data that the service needs to unwrap the passphrase.
	Annotations map[string][]byte
}

// PassphraseRef refers to a passphrase at a provider.
type PassphraseRef struct {
	// Provider is the provider of EncryptedConfig.
	Provider string
	// URI is the passphraseURI of EncryptedConfig.
	URI string
	// Machine is the identity of the machine (MachineIdentity.Machine). Services that bind a wrapped passphrase to a
	// context unwrap it for this machine only.
	Machine string
}

// keyScheme is the prefix of a KeyURI.
const keyScheme = "kms://"

// strict rejects base64 with unused bits in the last character, so that each value has one encoding.
func strict() *base64.Encoding { return base64.StdEncoding.Strict() }

// ParseKeyURI reads the URI. The error is ErrURI and does not show the URI.
func ParseKeyURI(text string) (KeyURI, error) {
	rest, is := strings.CutPrefix(text, keyScheme)
	wrapped, rest, found := strings.Cut(rest, "@")
	if !is || !found {
		return KeyURI{}, fmt.Errorf("%w: the form is %s<base64>@<key>", ErrURI, keyScheme)
	}
	key, query, _ := strings.Cut(rest, "?")
	u := KeyURI{}
	var err error
	if u.Wrapped, err = decode(wrapped); err != nil || len(u.Wrapped) == 0 {
		return KeyURI{}, fmt.Errorf("%w: the text before the @ is not base64", ErrURI)
	}
	if u.Key, err = unescape(key); err != nil || u.Key == "" {
		return KeyURI{}, fmt.Errorf("%w: there is no key name after the @", ErrURI)
	}
	if u.Annotations, err = annotations(query); err != nil {
		return KeyURI{}, err
	}
	if u.String() != text {
		return KeyURI{}, fmt.Errorf("%w: it is not in canonical form", ErrURI)
	}
	return u, nil
}

// decode decodes base64 and rejects line breaks, which the library ignores.
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

// String returns the URI, with annotations sorted by name.
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

// KeyOf returns the part of a passphrase's URI that identifies the key: Key of a KeyURI, otherwise the whole URI.
func KeyOf(uri string) string {
	if u, err := ParseKeyURI(uri); err == nil {
		return u.Key
	}
	return uri
}

// The providers that need no plugin.
const (
	// ProviderFile reads the passphrase from a file on the machine: file:///etc/machineadm/passphrase.
	ProviderFile = "file"
	// ProviderRemote fetches the passphrase like a RemoteConfig, for example s3://bucket/key with the plugin
	// machineadm-remote-configuration-provider-s3.
	ProviderRemote = "remote"
)

// FilePath returns the absolute path of a file:// URI without a host. It does not unescape characters.
func FilePath(uri string) (string, error) {
	path, is := strings.CutPrefix(uri, "file://")
	if !is || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#%\x00") ||
		slices.Contains(strings.Split(path, "/"), "..") {
		return "", fmt.Errorf("%w: the form is file:///path, without %%, ? and #", ErrURI)
	}
	return path, nil
}

// Scheme returns the text before ://, such as s3 of s3://us-west-2.cluster-api.contoso.com/bootstrap/machine.yaml.
func Scheme(uri string) (string, error) {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found || rest == "" || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return "", fmt.Errorf("%w: the form is <scheme>://<place>", ErrURI)
	}
	return scheme, nil
}

// Passphrase returns the content of a file or an object without one final line end, which editors add.
func Passphrase(held []byte) []byte {
	text := strings.TrimSuffix(string(held), "\n")
	return []byte(strings.TrimSuffix(text, "\r"))
}
