package delivery_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
)

// TestEC2LaunchIsChecked reports payloads that EC2Launch does not run.
func TestEC2LaunchIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		format      delivery.Format
		compression delivery.Compression
		want        string
	}{
		"a script": {delivery.FormatCloudbaseInit, delivery.CompressionAuto, ""},
		"another format": {
			delivery.FormatCloudInit, delivery.CompressionAuto,
			"error: spec.delivery.encoding: EC2Launch runs PowerShell scripts, which the format cloud-init does not " +
				"contain; leave it out, or use a Windows machine with the format cloudbase-init",
		},
		"an answer file": {
			delivery.FormatUnattend, delivery.CompressionAuto,
			"error: spec.delivery.encoding: EC2Launch runs PowerShell scripts, which the format unattend does not " +
				"contain; leave it out, or use a Windows machine with the format cloudbase-init",
		},
		"compressed": {
			delivery.FormatCloudbaseInit, delivery.CompressionGzip,
			"error: spec.delivery.compression: EC2Launch does not decompress userdata; leave it out",
		},
	} {
		o := delivery.Options{Encoding: delivery.EncodingEC2Launch, Compression: c.compression}
		if got := o.Check(c.format, "", "spec.delivery").String(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
