package expand

import (
	"errors"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// InvalidTOML returns the finding for an error of structured.TOML, with its line and column. It omits the decoder's
// message, which quotes the input and thereby possibly credentials.
func InvalidTOML(at report.Path, err error) report.Finding {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return structured.Finding(at, "this is not TOML", err)
	}
	f := report.Errorf(at, "this is not TOML")
	f.Line, f.Column = decode.Position()
	return f
}
