package envelope_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

func payload(f delivery.Format, text string) delivery.Payload {
	return delivery.Payload{
		Format: f, SecretFormat: delivery.SecretFormatCloudConfig, Data: secret.FromString(text),
		FileExtension: ".yaml",
	}
}

func wrap(t testing.TB, p delivery.Payload, e delivery.Envelope) delivery.Payload {
	t.Helper()
	out, err := envelope.Wrapper{}.Wrap(p, e)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unzip(t testing.TB, b []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if !r.ModTime.IsZero() || r.Name != "" {
		t.Errorf("the header contains a time or a name: %+v", r.Header)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// open reads a message as a mail program does.
func open(t testing.TB, b []byte) map[string]string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	kind, values, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/mixed" {
		t.Fatal(kind, err)
	}
	got := map[string]string{}
	for r := multipart.NewReader(m.Body, values["boundary"]); ; {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader = p
		if p.Header.Get("Content-Transfer-Encoding") == "base64" {
			body = base64.NewDecoder(base64.StdEncoding, p)
		}
		content, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		got[p.FileName()+" "+p.Header.Get("Content-Type")] = string(content)
	}
}

func TestLayers(t *testing.T) {
	const text = "#cloud-config\nruncmd: [\"a\"]\n"
	parts := []delivery.Part{{Name: "10-first.sh", ContentType: delivery.ContentShellScript, Text: "#!/bin/sh\necho ok\n"}}
	cases := map[string]struct {
		reason          string
		envelope        delivery.Envelope
		name, extension string
		open            func([]byte) string
	}{
		"none": {"nothing is done to the data", delivery.Envelope{}, "", ".yaml", func(b []byte) string {
			return string(b)
		}},
		"gzip": {"compressed", delivery.Envelope{Gzip: true}, "gzip", ".yaml.gz", func(b []byte) string {
			return string(unzip(t, b))
		}},
		"base64": {"in one line", delivery.Envelope{Base64: true}, "base64", ".yaml.b64", func(b []byte) string {
			return decode(t, b)
		}},
		"both": {
			"compressed first",
			delivery.Envelope{Gzip: true, Base64: true},
			"gzip+base64", ".yaml.gz.b64",
			func(b []byte) string { return string(unzip(t, []byte(decode(t, b)))) },
		},
		"all": {
			"the message is innermost",
			delivery.Envelope{Parts: parts, Gzip: true, Base64: true},
			"mime+gzip+base64", ".mime.gz.b64",
			func(b []byte) string {
				got := open(t, unzip(t, []byte(decode(t, b))))
				if diff := cmp.Diff("#!/bin/sh\necho ok\n", got["10-first.sh text/x-shellscript; charset=utf-8"]); diff != "" {
					t.Error(diff)
				}
				return got["cloud-config.txt text/cloud-config; charset=utf-8"]
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := wrap(t, payload(delivery.FormatCloudInit, text), c.envelope)
			if got.Envelope != c.name || got.FileExtension != c.extension ||
				got.SecretFormat != delivery.SecretFormatCloudConfig {
				t.Errorf("%s: envelope %q, extension %q, key %q", c.reason, got.Envelope, got.FileExtension, got.SecretFormat)
			}
			if diff := cmp.Diff(text, c.open(got.Data.Reveal())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			again := wrap(t, payload(delivery.FormatCloudInit, text), c.envelope)
			if !bytes.Equal(got.Data.Reveal(), again.Data.Reveal()) {
				t.Error("the same payload and envelope give other bytes")
			}
		})
	}
}

func decode(t testing.TB, b []byte) string {
	t.Helper()
	out, err := base64.StdEncoding.Strict().DecodeString(string(b))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestElementOfEC2Launch(t *testing.T) {
	p := payload(delivery.FormatCloudbaseInit, "Get-Date | Out-File <a>\n")
	got := wrap(t, p, delivery.Envelope{EC2Launch: true})
	want := "<powershell>\nGet-Date | Out-File <a>\n</powershell>\n"
	if string(got.Data.Reveal()) != want || got.Envelope != "powershell" || got.FileExtension != ".txt" {
		t.Errorf("got %q, %s, %s", got.Data.Reveal(), got.Envelope, got.FileExtension)
	}
}

// Any bytes arrive, those that a message cannot hold as they are too.
func TestPartsArriveByteForByte(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for name, body := range map[string]string{
		"ascii": "#!/bin/sh\n\techo\n", "no newline": "#!a", "newlines": "#!\n\n\n", "unicode": "#! Grüße\u2028\u0085\n",
		"bytes": "#!" + string(all),
		"long":  "#!" + strings.Repeat("x", 5000), "dashes": "--\n--a--\n", "mail": "From me\n.\nMIME-Version: 1.0\n\n",
		"crlf": "a\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			e := delivery.Envelope{Parts: []delivery.Part{{Name: "n", ContentType: delivery.ContentBootHook, Text: body}}}
			got := open(t, wrap(t, payload(delivery.FormatCloudInit, body), e).Data.Reveal())
			want := map[string]string{
				"n text/cloud-boothook; charset=utf-8":              body,
				"cloud-config.txt text/cloud-config; charset=utf-8": body,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
		})
	}
}

// A boundary that a text contains is not used.
func TestBoundaryIsInNoPart(t *testing.T) {
	first := wrap(t, payload(delivery.FormatCloudInit, "a\n"), delivery.Envelope{Multipart: true}).Data.Reveal()
	line := strings.Split(string(first), "\r\n")[3]
	text := "a\n" + line + "\n"
	got := open(t, wrap(t, payload(delivery.FormatCloudInit, text), delivery.Envelope{Multipart: true}).Data.Reveal())
	if diff := cmp.Diff(map[string]string{"cloud-config.txt text/cloud-config; charset=utf-8": text}, got); diff != "" {
		t.Error(diff)
	}
}

func TestIgnitionContainsCompressedConfig(t *testing.T) {
	text := `{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/a"}]}}`
	got := string(wrap(t, payload(delivery.FormatIgnition, text), delivery.Envelope{Gzip: true}).Data.Reveal())
	const before = `{"ignition":{"config":{"replace":{"compression":"gzip","source":"data:;base64,`
	inner, found := strings.CutPrefix(got, before)
	inner, closed := strings.CutSuffix(inner, `"}},"version":"3.4.0"}}`)
	if !found || !closed {
		t.Fatal(got)
	}
	if diff := cmp.Diff(text, string(unzip(t, []byte(decode(t, []byte(inner)))))); diff != "" {
		t.Error(diff)
	}
}

func TestWrapRefuses(t *testing.T) {
	cases := map[string]struct {
		reason   string
		format   delivery.Format
		text     string
		envelope delivery.Envelope
		want     string
	}{
		"parts": {
			"no other format has parts", delivery.FormatTalos, "",
			delivery.Envelope{Multipart: true},
			"make a message of several parts: talos is not read in parts",
		},
		"old": {
			"3.0 has no compression there", delivery.FormatIgnition, `{"ignition":{"version":"3.0.0"}}`,
			delivery.Envelope{Gzip: true},
			"compress ignition: version 3.0.0 reads no compressed configuration",
		},
		"older": {
			"2.3 neither", delivery.FormatIgnition, `{"ignition":{"version":"2.3.0"}}`,
			delivery.Envelope{Gzip: true},
			"compress ignition: version 2.3.0 reads no compressed configuration",
		},
		"tag": {
			"EC2Launch finds tags anywhere", delivery.FormatCloudbaseInit, "'</PowerShell>'",
			delivery.Envelope{EC2Launch: true},
			"write cloudbase-init for EC2Launch: the script contains a tag of EC2Launch",
		},
		"persist": {
			"it would run at each start", delivery.FormatCloudbaseInit, "'<persist>true</persist>'",
			delivery.Envelope{EC2Launch: true},
			"write cloudbase-init for EC2Launch: the script contains a tag of EC2Launch",
		},
		"cloud-config": {
			"EC2Launch runs scripts", delivery.FormatCloudbaseInit, "#cloud-config\n",
			delivery.Envelope{EC2Launch: true},
			"write cloudbase-init for EC2Launch: the payload is cloud-config",
		},
		"none": {
			"a configuration has a version", delivery.FormatIgnition, `{}`,
			delivery.Envelope{Gzip: true},
			"compress ignition: version  reads no compressed configuration",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := envelope.Wrapper{}.Wrap(payload(c.format, c.text), c.envelope)
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}
