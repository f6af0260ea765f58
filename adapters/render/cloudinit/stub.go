package cloudinit

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.StubRenderer = Renderer{}

// Stub returns a part handler that fetches the real userdata, checks its digest and passes it to cloud-init's own
// handlers. Among the documented inputs, only a part handler runs early enough to supply a cloud-config. It needs only
// the Python that runs cloud-init. With Include it returns an #include, which checks no digest.
func (Renderer) Stub(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload, report.Report, error,
) {
	if l.Include {
		return include(l, at.Field("fetch"))
	}
	headers := map[string]string{}
	for _, h := range l.Headers {
		headers[h.Name] = string(h.Value.Reveal())
	}
	text, err := partHandler(string(l.URL.Reveal()), headers, l.SHA256, string(l.CABundle))
	if err != nil {
		return delivery.Payload{}, nil, fmt.Errorf("render a part handler: %w", err)
	}
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.New(text), FileExtension: ".py"}, nil, nil
}

// handlerProgram is the program of the part handler.
//
//go:embed handler.py
var handlerProgram string

// partHandler returns the part handler with its parameters. It is compressed, because a stub is limited to 2 KiB.
func partHandler(parameters ...any) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("#part-handler\nimport base64,zlib\nexec(zlib.decompress(base64.b64decode('")
	encoded := base64.NewEncoder(base64.StdEncoding, &text)
	program, err := zlib.NewWriterLevel(encoded, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	_, started := io.WriteString(program, "PARAMETERS=")
	// The JSON is also a valid Python literal: all values are checked to be printable ASCII strings.
	list := json.NewEncoder(program)
	list.SetEscapeHTML(false)
	assigned := list.Encode(parameters)
	_, written := io.WriteString(program, script.StripPython(handlerProgram))
	if err := errors.Join(started, assigned, written, program.Close(), encoded.Close()); err != nil {
		return nil, err
	}
	text.WriteString("')))\n")
	return text.Bytes(), nil
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
