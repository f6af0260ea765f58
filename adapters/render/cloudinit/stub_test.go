package cloudinit_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// signed returns a URL in the format of AWS, with a session token of the given length; 0 omits the token.
func signed(token int) delivery.Location {
	url := "https://machineadm-bootstrap-123456789012.s3.eu-central-1.amazonaws.com/bootstrap/default/" +
		"cluster-1-md-0-abcde-fghij/" +
		hexadecimal(0, 32) +
		"?X-Amz-Algorithm=AWS4-HMAC-SHA256&" +
		"X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20261121%2Feu-central-1%2Fs3%2Faws4_request" +
		"&X-Amz-Date=20261121T101500Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&x-id=GetObject&X-Amz-Signature=" +
		hexadecimal(1, 32)
	if token > 0 {
		url += "&X-Amz-Security-Token=" + hexadecimal(2, token/2)
	}
	return delivery.Location{
		URL: secret.FromString(url), SHA256: hexadecimal(3, 32),
		SHA512: hexadecimal(4, 64),
	}
}

// noise returns incompressible bytes, like digests and keys.
func noise(seed byte, n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func hexadecimal(seed byte, n int) string { return hex.EncodeToString(noise(seed, n)) }

// TestStubIsSmall checks the documented sizes: 2 KiB, and 6 KiB with a session token and a private CA.
func TestStubIsSmall(t *testing.T) {
	full := signed(2000)
	full.CABundle = []byte(base64.StdEncoding.EncodeToString(noise(5, 1470)))
	for most, l := range map[int]delivery.Location{2 << 10: signed(0), 6 << 10: full} {
		p, found, err := cloudinit.Renderer{}.Stub(l, debian(), "d")
		if err != nil || len(found) > 0 || p.Data.Len() > most {
			t.Errorf("%d bytes, at most %d: %v %v", p.Data.Len(), most, found, err)
		}
		t.Logf("%d bytes", p.Data.Len())
	}
}

func TestIncludeOnRequest(t *testing.T) {
	included := signed(0)
	included.Include = true
	p, found, err := cloudinit.Renderer{}.Stub(included, debian(), "d")
	want := fmt.Sprintf("#include\n%s\n", signed(0).URL.Reveal())
	if string(p.Data.Reveal()) != want || err != nil || len(found) != 1 || found[0].Severity != report.Warning {
		t.Errorf("%v %v", found, err)
	}
	for name, change := range map[string]func(*delivery.Location){
		"headers": func(l *delivery.Location) { l.Headers = []delivery.Header{{Name: "A"}} },
		"ca":      func(l *delivery.Location) { l.CABundle = []byte("a") },
	} {
		l := included
		change(&l)
		if p, found, err := (cloudinit.Renderer{}).Stub(l, debian(), "d"); err != nil || !found.HasErrors() ||
			!p.Data.IsZero() {
			t.Errorf("%s: %v %v", name, found, err)
		}
	}
}
