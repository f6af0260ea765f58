package envelope

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// The part of an Ignition configuration that this package reads and writes (specification 3.1,
// ignition.config.replace).
type (
	config struct {
		Ignition meta `json:"ignition"`
	}
	meta struct {
		Config  *references `json:"config,omitempty"`
		Version string      `json:"version"`
	}
	references struct {
		Replace reference `json:"replace"`
	}
	reference struct {
		Compression string `json:"compression"`
		Source      string `json:"source"`
	}
)

// replaced returns a configuration that is replaced by the given one, which it holds compressed. The engine reads it
// before it does anything else, and its proxies, certificates and timeouts apply from then on.
func replaced(data []byte) ([]byte, error) {
	var own config
	if err := json.Unmarshal(data, &own); err != nil {
		return nil, fmt.Errorf("read its version: %w", err)
	}
	if v := own.Ignition.Version; v < "3.1.0" || v[0] != '3' {
		return nil, errors.New("version " + v + " reads no compressed configuration")
	}
	packed, err := pack(data)
	if err != nil {
		return nil, err
	}
	return json.Marshal(config{Ignition: meta{
		Version: own.Ignition.Version,
		Config: &references{Replace: reference{
			Compression: "gzip", Source: "data:;base64," + base64.StdEncoding.EncodeToString(packed),
		}},
	}})
}
