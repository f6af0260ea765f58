package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/canary"
)

// laid is a file that userdata lays down.
type laid struct {
	path    string
	mode    uint64
	content string
}

// TestSecretsStandInPrivateFiles looks into each golden that says files with modes: what is planted as a secret, a
// token or a private key stands in files that root alone reads, and nowhere else but in the password hash that a
// cloud-config gives a user.
func TestSecretsStandInPrivateFiles(t *testing.T) {
	found := 0
	for _, format := range []struct {
		pattern string
		read    func(t *testing.T, data []byte) (files []laid, rest string)
	}{{"cloud-init/*.yaml", cloudConfig}, {"ignition*/*.ign", ignitionConfig}} {
		paths, err := filepath.Glob(filepath.Join(dir, "*/want", format.pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(err, paths)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, rest := format.read(t, data)
			for _, f := range files {
				if !secretive(t, f.content) {
					continue
				}
				found++
				if f.mode&0o077 != 0 {
					t.Errorf("%s: others read %s (%#o), which holds a secret", path, f.path, f.mode)
				}
			}
			if secretive(t, rest) {
				t.Errorf("%s: a secret stands outside of files", path)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d files hold a secret", found)
	}
}

// secretive reports whether the text holds what was planted, a token or a private key.
func secretive(t *testing.T, text string) bool {
	t.Helper()
	search, err := canary.For(canary.Made(text)...)
	if err != nil {
		t.Fatal(err)
	}
	return len(search.In(text)) > 0
}

func cloudConfig(t *testing.T, data []byte) (files []laid, rest string) {
	t.Helper()
	c := map[string]any{}
	var entries struct {
		Files []struct{ Path, Permissions, Content, Encoding string } `json:"write_files"`
	}
	mustRead(t, yaml.Unmarshal(data, &c))
	mustRead(t, yaml.Unmarshal(data, &entries))
	for _, f := range entries.Files {
		content := f.Content
		if strings.Contains(f.Encoding, "b64") {
			content = unpack(t, content, strings.HasPrefix(f.Encoding, "gz"))
		}
		files = append(files, laid{f.Path, octal(t, f.Permissions), content})
	}
	delete(c, "write_files")
	return files, without(t, c, "hashed_passwd")
}

func ignitionConfig(t *testing.T, data []byte) (files []laid, rest string) {
	t.Helper()
	c := map[string]any{}
	type contents struct{ Source, Compression string }
	var entries struct {
		Storage struct {
			Files []struct {
				Path     string
				Mode     *uint64
				Contents contents
				// Append is a list, and a mark in the older specification.
				Append any
			}
		}
	}
	mustRead(t, json.Unmarshal(data, &c))
	mustRead(t, json.Unmarshal(data, &entries))
	for _, f := range entries.Storage.Files {
		mode := uint64(0o644)
		if f.Mode != nil {
			mode = *f.Mode
		}
		added, err := json.Marshal(f.Append)
		mustRead(t, err)
		files = append(files, laid{f.Path, mode, fromURL(t, f.Contents.Source, f.Contents.Compression == "gzip") +
			string(added)})
	}
	if storage, ok := c["storage"].(map[string]any); ok {
		delete(storage, "files")
	}
	text, err := json.Marshal(c)
	mustRead(t, err)
	return files, string(text)
}

// fromURL returns the content of a data URL. What is fetched from elsewhere is its address.
func fromURL(t *testing.T, source string, compressed bool) string {
	t.Helper()
	text, isData := strings.CutPrefix(source, "data:")
	kind, text, comma := strings.Cut(text, ",")
	if !isData || !comma {
		return source
	}
	if strings.HasSuffix(kind, ";base64") {
		return unpack(t, text, compressed)
	}
	text, err := url.PathUnescape(text)
	mustRead(t, err)
	return text
}

func unpack(t *testing.T, text string, compressed bool) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	mustRead(t, err)
	if !compressed {
		return string(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	mustRead(t, err)
	data, err = io.ReadAll(z)
	mustRead(t, err)
	return string(data)
}

// without returns the document as text, without the field wherever it stands.
func without(t *testing.T, document any, field string) string {
	t.Helper()
	drop(document, field)
	text, err := json.Marshal(document)
	mustRead(t, err)
	return string(text)
}

func drop(document any, field string) {
	switch d := document.(type) {
	case map[string]any:
		delete(d, field)
		for _, v := range d {
			drop(v, field)
		}
	case []any:
		for _, v := range d {
			drop(v, field)
		}
	}
}

func octal(t *testing.T, text string) uint64 {
	t.Helper()
	mode, err := strconv.ParseUint(text, 8, 32)
	mustRead(t, err)
	return mode
}

func mustRead(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
