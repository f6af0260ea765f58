package envelope_test

import (
	"bytes"
	"testing"

	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/domain/delivery"
)

// FuzzWrap takes each envelope off again and looks for the payload and the part.
func FuzzWrap(f *testing.F) {
	f.Add("#cloud-config\n", "#!/bin/sh\n")
	f.Add("\r\n--x--\r\n\x00\xff", "MIME-Version: 1.0\n\n")
	f.Fuzz(func(t *testing.T, config, script string) {
		e := delivery.Envelope{
			Parts: []delivery.Part{{Name: "a.sh", ContentType: delivery.ContentShellScript, Text: script}},
			Gzip:  true, Base64: true,
		}
		p, err := envelope.Wrapper{}.Wrap(payload(delivery.FormatCloudInit, config), e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := envelope.Wrapper{}.Wrap(payload(delivery.FormatCloudInit, config), e)
		if err != nil || !bytes.Equal(p.Data.Reveal(), again.Data.Reveal()) {
			t.Fatal("other bytes", err)
		}
		got := open(t, unzip(t, []byte(decode(t, p.Data.Reveal()))))
		if got["cloud-config.txt text/cloud-config; charset=utf-8"] != config ||
			got["a.sh text/x-shellscript; charset=utf-8"] != script || len(got) != 2 {
			t.Errorf("%q", got)
		}
	})
}
