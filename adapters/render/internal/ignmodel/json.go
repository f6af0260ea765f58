package ignmodel

import (
	"bytes"

	"github.com/clarketm/json"
)

// JSON writes a configuration without blanks, without the empty objects of the types, and without the escapes by which JSON is
// put into HTML.
func JSON(config any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(config); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
