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

// userdataFile is a file that userdata creates.
type userdataFile struct {
	path    string
	mode    uint64
	content string
}

// TestSecretsAreInPrivateFiles checks each golden of a format that sets modes of files: planted secrets, tokens and
// private keys are only in files that only root can read, and in the password hashes of users in a cloud-config.
func TestSecretsAreInPrivateFiles(t *testing.T) {
	found := 0
	for _, format := range []struct {
		pattern string
		read    func(t *testing.T, data []byte) (files []userdataFile, rest string)
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
				if !hasSecret(t, f.content) {
					continue
				}
				found++
				if f.mode&0o077 != 0 {
					t.Errorf("%s: others can read %s (%#o), which contains a secret", path, f.path, f.mode)
				}
			}
			if hasSecret(t, rest) {
				t.Errorf("%s: a secret is outside of files", path)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d files contain a secret", found)
	}
}

// hasSecret reports whether the text contains a planted secret, a token or a private key.
func hasSecret(t *testing.T, text string) bool {
	t.Helper()
	search, err := canary.For(canary.SecretsIn(text)...)
	if err != nil {
		t.Fatal(err)
	}
	return len(search.In(text)) > 0
}

func cloudConfig(t *testing.T, data []byte) (files []userdataFile, rest string) {
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
		files = append(files, userdataFile{f.Path, octal(t, f.Permissions), content})
	}
	delete(c, "write_files")
	return files, without(t, c, "hashed_passwd")
}

func ignitionConfig(t *testing.T, data []byte) (files []userdataFile, rest string) {
	t.Helper()
	c := map[string]any{}
	type contents struct{ Source, Compression string }
	var entries struct {
		Storage struct {
			Files []struct {
				Path     string
				Mode     *uint64
				Contents contents
				// Append is a list, and a boolean in the older specification.
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
		files = append(files, userdataFile{f.Path, mode, fromURL(t, f.Contents.Source, f.Contents.Compression == "gzip") +
			string(added)})
	}
	if storage, ok := c["storage"].(map[string]any); ok {
		delete(storage, "files")
	}
	text, err := json.Marshal(c)
	mustRead(t, err)
	return files, string(text)
}

// fromURL returns the content of a data URL, or the URL if it is another.
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

// without returns the document as text, without the field at any depth.
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

// TestConvertedManifestsArePrivate converts manifests with a Secret to a file that exists, and that others can read.
func TestConvertedManifestsArePrivate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "converted.yaml")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const manifests = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n"
	var out, errs strings.Builder
	code := run([]string{"convert", "-f", "-", "--output-file", name}, strings.NewReader(manifests), &out, &errs)
	if code != 0 {
		t.Fatalf("code %d, %s", code, errs.String())
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() != int64(len(manifests)) {
		t.Errorf("%d bytes with the mode %s", info.Size(), info.Mode())
	}
}
