package convert

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// OSProfileYAML returns the profile as YAML that ReadOSProfile reads.
func OSProfileYAML(p osprofile.Profile) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(newProfileForm(p)); err != nil {
		return nil, fmt.Errorf("encode the profile %s: %w", p.ID, err)
	}
	return b.Bytes(), e.Close()
}

// OSProfileJSON returns the profile as JSON that ReadOSProfile reads.
func OSProfileJSON(p osprofile.Profile) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(newProfileForm(p)); err != nil {
		return nil, fmt.Errorf("encode the profile %s: %w", p.ID, err)
	}
	return b.Bytes(), nil
}
