package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// decrypted returns the contents of the documents in their order.
type decrypted struct{ texts [][]byte }

func (d *decrypted) Decrypt(context.Context, indirect.EncryptedConfig, string) ([]byte, error) {
	text := d.texts[0]
	d.texts = d.texts[1:]
	return text, nil
}

// decrypt runs machineadmctl decrypt for a configuration with one encrypted document for each text.
func decrypt(t *testing.T, texts ...[]byte) (code int, out, errs string) {
	t.Helper()
	docs := []document.Document{{Value: indirect.MachineIdentity{Machine: "m"}}}
	for range texts {
		docs = append(docs, document.Document{Value: indirect.EncryptedConfig{
			Provider: "file", PassphraseURI: "file:///p", Ciphertext: make([]byte, 32), Salt: make([]byte, 32),
			IV:              make([]byte, 12),
			CipherAlgorithm: indirect.CipherAES256GCM, DigestAlgorithm: indirect.DigestSHA512,
			KeyDerivationAlgorithm: indirect.KDFPBKDF2,
			Iterations:             indirect.RecommendedIterations,
		}})
	}
	in, err := codec.Codec{}.Encode(docs)
	if err != nil {
		t.Fatal(err)
	}
	service, err := render.New(formats.Builtin(), plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	all := &decrypted{texts}
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), cli.Options{
		Render: service, Codec: codec.Codec{}, Decrypter: func(secret.Value) ports.Decrypter { return all },
		In: bytes.NewReader(in), Out: &stdout, Err: &stderr,
	}, []string{"decrypt", "-f", "-"})
	return code, stdout.String(), stderr.String()
}

func motd(path, content string) []byte {
	return []byte("apiVersion: machineadm.io/v1alpha1\nkind: File\nspec:\n  path: " + path + "\n  content: " + content)
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecryptedDocumentsStaySeparate(t *testing.T) {
	cases := map[string]struct {
		reason string
		texts  [][]byte
	}{
		"line ends": {reason: "the usual form", texts: [][]byte{motd("/a", "a\n"), motd("/b", "b\n")}},
		"no end":    {reason: "a text can end in a value", texts: [][]byte{motd("/a", "a"), motd("/b", "b")}},
		"blocks": {reason: "another newline would become part of the value", texts: [][]byte{
			motd("/a", "|\n    a"),
			motd("/b", "|+\n    b\n\n"), motd("/c", "c"),
		}},
		"document markers": {
			reason: "a text can begin and end with a marker",
			texts:  [][]byte{[]byte("---\n" + string(motd("/a", "a\n")) + "---\n"), []byte("---\n" + string(motd("/b", "b\n")))},
		},
		"directives": {reason: "they precede a document", texts: [][]byte{
			motd("/a", "a\n"),
			[]byte("%YAML 1.1\n---\n" + string(motd("/b", "b\n"))),
		}},
		"compressed": {reason: "each text is compressed by itself", texts: [][]byte{
			zipped(t, motd("/a", "a\n")),
			motd("/b", "b\n"),
		}},
		"comments": {reason: "the last line can be a comment", texts: [][]byte{
			append(motd("/a", "a\n"), "# the end"...),
			motd("/b", "b\n"),
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var want []machine.File
			for _, text := range c.texts {
				docs, found := codec.Codec{}.Decode(t.Context(), text)
				if found.HasErrors() {
					t.Fatal(found)
				}
				want = append(want, document.Select[machine.File](docs)...)
			}
			code, out, errs := decrypt(t, c.texts...)
			docs, found := codec.Codec{}.Decode(t.Context(), []byte(out))
			if code != 0 || found.HasErrors() {
				t.Fatalf("%s: %d, %s%v\n%s", c.reason, code, errs, found, out)
			}
			got := document.Select[machine.File](docs)
			if diff := cmp.Diff(paths(want), paths(got)); diff != "" {
				t.Errorf("%s: %s\n%s", c.reason, diff, out)
			}
		})
	}
}

// paths returns the paths and the contents of files.
func paths(files []machine.File) []string {
	var all []string
	for _, f := range files {
		text, _ := f.Content.Static()
		all = append(all, f.Path+" "+string(text))
	}
	return all
}

func TestDecryptIsBounded(t *testing.T) {
	large := append([]byte("# "), bytes.Repeat([]byte("a"), 12<<20)...)
	if code, out, errs := decrypt(t, zipped(t, large)); code != 0 || out != string(large) {
		t.Errorf("12 MiB: %d, %d bytes, %s", code, len(out), errs)
	}
	for name, texts := range map[string][][]byte{
		"one":           {zipped(t, append(large, large...))},
		"both together": {zipped(t, large), zipped(t, large)},
	} {
		if code, out, errs := decrypt(t, texts...); code == 0 || out != "" || !strings.Contains(errs, "too large") {
			t.Errorf("%s: %d, %d bytes, %s", name, code, len(out), errs)
		}
	}
}
