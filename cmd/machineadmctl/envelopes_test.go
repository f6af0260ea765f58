package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/test/providers"
)

// TestCompressedUserdataArrivesOrIsRefused passes compressed cloud-config through the doubles of the providers. If it
// does not arrive unchanged, the setting is an error.
func TestCompressedUserdataArrivesOrIsRefused(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, "#cloud-config\nruncmd:\n  - "+strings.Repeat("true; ", 99)+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	options := delivery.Options{Compression: delivery.CompressionGzip}
	for kind, deliver := range providers.All() {
		got, err := deliver(bytes.Clone(packed.Bytes()), providers.Machine{Name: "machine-1"})
		arrives := err == nil && bytes.Equal(got.Userdata, packed.Bytes())
		found := infrastructure.CheckEnvelope(kind, delivery.FormatCloudInit, options, "spec.delivery")
		if !arrives && !found.HasErrors() {
			t.Errorf("%s: compressed userdata does not arrive, and is accepted: %s", kind, found)
		}
		if arrives && found.HasErrors() {
			t.Errorf("%s: compressed userdata arrives, and is refused: %s", kind, found)
		}
	}
}
