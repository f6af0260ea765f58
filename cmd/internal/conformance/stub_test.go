package conformance_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
)

// random returns what no program compresses.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// digest returns the hexadecimal of a digest or of a signature.
func digest(n int) string { return hex.EncodeToString(random(n)) }

// signed is where AWS keeps a machine's configuration, with a session token and a private CA of the lengths; 0 is none.
func signed(token, authority int) delivery.Location {
	// An object is named by its digest.
	l := delivery.Location{SHA256: digest(32), SHA512: digest(64)}
	url := fmt.Sprintf(
		"https://machineadm-bootstrap-123456789012.s3.eu-central-1.amazonaws.com/bootstrap/default/"+
			"cluster-1-md-0-abcde-fghij/%s"+
			"?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%%2F20261121%%2Feu-central-1%%2Fs3%%2Faw"+
			"s4_request"+
			"&X-Amz-Date=20261121T101500Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&x-id=GetObject&X-Amz-Signature=%s",
		l.SHA256, digest(32))
	if token > 0 {
		url += "&X-Amz-Security-Token=" + base64.RawURLEncoding.EncodeToString(random(token*3/4))
	}
	if authority > 0 {
		l.CABundle = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: random(authority)})
	}
	l.URL = secret.FromString(url)
	return l
}

// TestAgentsStubIsSmall holds the sizes that are promised of userdata with which an agent of the image fetches the
// rest, which a token of hardware decrypts: 2 KiB, and 6 KiB with a session token and a private CA.
func TestAgentsStubIsSmall(t *testing.T) {
	s, err := render.New(formats.Builtin(), plugins.Builtin(), render.WithCodec(codec.Codec{}),
		render.WithWrapper(envelope.Wrapper{}), render.WithEncrypter(seal.Encrypter{}))
	if err != nil {
		t.Fatal(err)
	}
	docs := []document.Document{{
		Value:  machine.File{Path: "/etc/large", Content: document.Literal(bytes.Repeat([]byte("large "), 50_000))},
		Source: document.Source{Path: "spec.machine.files[0]"},
	}}
	for most, l := range map[int]delivery.Location{2 << 10: signed(0, 0), 6 << 10: signed(2000, 1300)} {
		for _, id := range []string{"ubuntu", "flatcar", "fedora-coreos"} {
			p, _ := osprofile.Lookup(id)
			o := delivery.Options{
				Mode: delivery.ModeAgent, Location: &l, Storage: delivery.StorageRef{Group: "a", Kind: "B", Name: "c"},
				Identity:   "default/cluster-1-md-0-abcde-fghij/01234567-89ab-cdef-0123-456789abcdef",
				Encryption: delivery.Encryption{Provider: "pkcs11", Key: "pkcs11:token=machineadm;object=kek"},
			}
			r, err := s.Render(t.Context(), plan.Job{
				Documents: docs, Format: p.DefaultFormat(), Delivery: o,
				Target: osprofile.Target{Profile: p, Architecture: "amd64", KubernetesVersion: "v1.36.3"},
			})
			n := r.Rendering.Payload.Data.Len()
			if err != nil || r.Findings.HasErrors() || n > most {
				t.Errorf("%s: %d bytes, at most %d: %v %v", id, n, most, r.Findings, err)
			}
			t.Logf("%s: %d bytes", id, n)
		}
	}
}
