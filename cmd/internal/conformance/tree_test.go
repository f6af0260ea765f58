package conformance_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var indexPattern = regexp.MustCompile(`^(.*)\[([0-9]+)\]$`)

// set returns a copy of the tree in which the field, such as a.b[0].c, has the value.
func set(t *testing.T, tree map[string]any, field string, value any) map[string]any {
	t.Helper()
	copied, _ := deepCopy(tree).(map[string]any)
	parts := strings.Split(field, ".")
	at := copied
	for _, part := range parts[:len(parts)-1] {
		name, index := part, -1
		if m := indexPattern.FindStringSubmatch(part); m != nil {
			name = m[1]
			index, _ = strconv.Atoi(m[2])
		}
		next := at[name]
		if list, ok := next.([]any); ok && index >= 0 {
			if index >= len(list) {
				t.Fatalf("%s: there is no %s", field, part)
			}
			next = list[index]
		}
		inner, ok := next.(map[string]any)
		if !ok {
			if index >= 0 {
				t.Fatalf("%s: there is no %s", field, part)
			}
			inner = map[string]any{}
			at[name] = inner
		}
		at = inner
	}
	last := parts[len(parts)-1]
	if suffix, ok := value.(string); ok && strings.HasPrefix(suffix, "~") {
		value = fmt.Sprint(at[last]) + suffix[1:]
	}
	at[last] = substituted(value)
	return copied
}

func deepCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for k, inner := range v {
			copied[k] = deepCopy(inner)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, inner := range v {
			copied[i] = deepCopy(inner)
		}
		return copied
	default:
		return v
	}
}

// substituted puts certificates in the place of their names.
func substituted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = substituted(inner)
		}
		return v
	case []any:
		for i, inner := range v {
			v[i] = substituted(inner)
		}
		return v
	case string:
		seed, known := map[string]byte{"@cert@": 7, "@certkey@": 7, "@ca@": 8, "@key@": 8}[v]
		if !known {
			return v
		}
		certificate, key := authority(seed)
		if strings.Contains(v, "key") {
			return key
		}
		return certificate
	}
	return v
}

// authority returns a certificate and its key in PEM: of one seed always the same.
func authority(seed byte) (certificate, key string) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	template := x509.Certificate{
		SerialNumber: big.NewInt(int64(seed)), Subject: pkix.Name{CommonName: "conformance"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0,
			0, 0, time.UTC),
	}
	raw, _ := x509.CreateCertificate(nil, &template, &template, private.Public(), private)
	der, _ := x509.MarshalPKCS8PrivateKey(private)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
