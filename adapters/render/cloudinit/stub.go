package cloudinit

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.Pointing = Renderer{}

// Point returns a part handler that fetches the real userdata, checks its digest and passes it to cloud-init's own
// handlers. Of the inputs that cloud-init documents, only a part handler runs early enough to supply a cloud-config,
// and it needs only the Python that cloud-init itself runs in. With Include it returns an #include, which checks no
// digest.
func (Renderer) Point(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload,
	report.Report, error,
) {
	if t.Delivery.Include {
		return include(l, at.Field("fetch"))
	}
	headers := map[string]string{}
	for _, h := range l.Headers {
		headers[h.Name] = string(h.Value.Reveal())
	}
	var text bytes.Buffer
	text.WriteString("#part-handler\nPARAMETERS=")
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	// JSON is also a Python literal: all values are strings of printable ASCII, checked before.
	err := encoder.Encode([]any{string(l.URL.Reveal()), headers, l.SHA256, string(l.CABundle)})
	text.WriteString(script.StripPython(handler))
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.New(text.Bytes()), FileExtension: ".py"}, nil,
		err
}

// include returns an #include, with which cloud-init itself fetches the userdata.
func include(l delivery.Location, at report.Path) (delivery.Payload, report.Report, error) {
	if len(l.Headers) > 0 || len(l.CABundle) > 0 {
		return delivery.Payload{}, report.Report{report.Errorf(at,
			"#include sends no headers and trusts only the CAs of the image").
			To("use Verified")}, nil
	}
	text := "#include\n" + string(l.URL.Reveal()) + "\n"
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.FromString(text), FileExtension: ".txt"},
		report.Report{report.Warningf(at, "#include checks no digest: anyone who can replace the stored object controls "+
			"the machine").To("use Verified")}, nil
}

//go:embed handler.py
var handler string
