package osprofiles

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// YAML returns a text from which Read gets the same profile.
func YAML(p osprofile.Profile) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(formOf(p)); err != nil {
		return nil, fmt.Errorf("encode the profile %s: %w", p.ID, err)
	}
	return b.Bytes(), e.Close()
}

// JSON returns the same in JSON, which is YAML, too.
func JSON(p osprofile.Profile) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(formOf(p)); err != nil {
		return nil, fmt.Errorf("encode the profile %s: %w", p.ID, err)
	}
	return b.Bytes(), nil
}
