package convert

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// OSProfileYAML returns a text from which Read gets the same profile.
func OSProfileYAML(p osprofile.Profile) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(newProfileForm(p)); err != nil {
		return nil, fmt.Errorf("encode the profile %s: %w", p.ID, err)
	}
	return b.Bytes(), e.Close()
}

// OSProfileJSON returns the same in JSON, which is YAML, too.
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
