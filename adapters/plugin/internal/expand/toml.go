package expand

import (
	"errors"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
)

// BadTOML returns the finding about TOML of the user's that structured.TOML refused, with the place in it. The text of
// the decoder's error is not shown: it quotes the input, which may hold credentials.
func BadTOML(at report.Path, err error) report.Finding {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return structured.Finding(at, "this is not TOML", err)
	}
	f := report.Errorf(at, "this is not TOML")
	f.Line, f.Column = decode.Position()
	return f
}
