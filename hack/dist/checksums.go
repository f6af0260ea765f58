package main

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeChecksums writes SHA256SUMS, as sha256sum does, of all files but the signatures, and with a key its signature in
// the encoding of the agents' signature.
func (r release) writeChecksums(context.Context) error {
	var sums strings.Builder
	err := filepath.WalkDir(r.out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".sig") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.out, path)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return err
	}
	if err := r.file([]byte(sums.String()), "SHA256SUMS"); err != nil || r.key == "" {
		return err
	}
	signature, err := sign(r.key, []byte(sums.String()))
	if err != nil {
		return fmt.Errorf("-key %s: %w", r.key, err)
	}
	return r.file([]byte(base64.StdEncoding.EncodeToString(signature)), "SHA256SUMS.sig")
}

// sign returns the signature of the text's SHA-256 by the private key in a file.
func sign(path string, text []byte) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(content)
	// The parameters of elliptic curves can precede the key.
	for rest := content; block != nil && !strings.HasSuffix(block.Type, "PRIVATE KEY"); {
		block, rest = pem.Decode(rest)
	}
	if block == nil {
		return nil, errors.New("there is no private key in PEM")
	}
	key, err := parseKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(text)
	return key.Sign(rand.Reader, digest[:], crypto.SHA256)
}

// parseKey reads the encodings of openssl.
func parseKey(der []byte) (crypto.Signer, error) {
	if key, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		if signer, is := key.(crypto.Signer); is {
			return signer, nil
		}
	}
	if key, err := x509.ParseECPrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	return nil, errors.New("the private key is not in PKCS #8, SEC 1 or PKCS #1; create it with openssl genpkey")
}
