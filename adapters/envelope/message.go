package envelope

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime"
	"mime/multipart"
	"net/textproto"

	"github.com/machineadm/machineadm/domain/delivery"
)

const (
	// mainName is the file name of the payload's own part, which nothing else is made of.
	mainName = "cloud-config.txt"
	// maxLine is the longest line of a message that is not encoded (RFC 5322, section 2.1.1).
	maxLine = 998
)

// part is a piece of a message.
type part struct {
	name, contentType string
	body              []byte
}

// multipartMessage returns a message of the parts and then the payload: parts that cloud-init starts itself do not
// depend on their place, and what follows the payload could change it.
func multipartMessage(f delivery.Format, payload []byte, more []delivery.Part) ([]byte, error) {
	if f != delivery.FormatCloudInit {
		return nil, fmt.Errorf("%s is not read in parts", f)
	}
	var parts []part
	for _, p := range more {
		parts = append(parts, part{name: p.Name, contentType: p.ContentType, body: []byte(p.Text)})
	}
	return message(append(parts, mainPart(payload)))
}

// mainPart is the payload's own part: a cloud-config, or a handler that fetches one.
func mainPart(payload []byte) part {
	if bytes.HasPrefix(payload, []byte("#part-handler\n")) {
		return part{name: "fetch.py", contentType: "text/part-handler", body: payload}
	}
	return part{name: mainName, contentType: "text/cloud-config", body: payload}
}

func message(parts []part) ([]byte, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary(boundary(parts)); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	// cloud-init recognizes a message by this line within the first 4096 bytes.
	fmt.Fprintf(&out, "MIME-Version: 1.0\r\nContent-Type: %s\r\n\r\n",
		mime.FormatMediaType("multipart/mixed", map[string]string{"boundary": w.Boundary()}))
	for _, p := range parts {
		if err := add(w, p); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	out.Write(body.Bytes())
	return out.Bytes(), nil
}

// add writes a part as it is if a message may hold it so, and in base64 otherwise.
func add(w *multipart.Writer, p part) error {
	body, encoding := p.body, "7bit"
	if !plain(body) {
		body, encoding = folded(body), "base64"
	}
	to, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Type":              {mime.FormatMediaType(p.contentType, map[string]string{"charset": "utf-8"})},
		"Content-Transfer-Encoding": {encoding},
		"Content-Disposition":       {mime.FormatMediaType("attachment", map[string]string{"filename": p.name})},
	})
	if err != nil {
		return err
	}
	_, err = to.Write(body)
	return err
}

// plain reports whether a message holds the bytes as they are: printable ASCII, tabs and line feeds, in lines that are
// not too long.
func plain(b []byte) bool {
	line := 0
	for _, c := range b {
		if c == '\n' {
			line = 0
			continue
		}
		line++
		if (c < ' ' && c != '\t') || c >= 0x7f || line > maxLine {
			return false
		}
	}
	return true
}

// folded returns the bytes in base64, in lines of 76 characters.
func folded(b []byte) []byte {
	const width = 76
	encoded := base64.StdEncoding.EncodeToString(b)
	var out bytes.Buffer
	for len(encoded) > width {
		out.WriteString(encoded[:width] + "\n")
		encoded = encoded[width:]
	}
	out.WriteString(encoded)
	return out.Bytes()
}

// boundary returns a line that no part contains. It is derived from the parts, so the same parts have the same
// boundary.
func boundary(parts []part) string {
	hash := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(hash, "%q %q %d\n", p.name, p.contentType, len(p.body))
		hash.Write(p.body)
	}
	for {
		candidate := hex.EncodeToString(hash.Sum(nil))
		if !anyHolds(parts, candidate) {
			return candidate
		}
		hash.Write([]byte{0})
	}
}

func anyHolds(parts []part, s string) bool {
	for _, p := range parts {
		if bytes.Contains(p.body, []byte(s)) {
			return true
		}
	}
	return false
}
