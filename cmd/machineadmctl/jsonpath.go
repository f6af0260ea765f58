package main

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/machineadm/machineadm/domain/report"
)

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// pathAt returns the path of the value that ends at the offset. The decoder names fields without their indexes; what is
// found has to agree with that, or the decoder's own word stands.
func pathAt(data []byte, offset int64, field string) report.Path {
	w := walker{dec: json.NewDecoder(bytes.NewReader(data)), offset: offset, field: field}
	if found, ok := w.value(""); ok {
		return found
	}
	return report.Path(field)
}

// walker looks for a value of the field that ends at the offset or after it.
type walker struct {
	dec    *json.Decoder
	offset int64
	field  string
}

func (w *walker) value(at report.Path) (report.Path, bool) {
	token, err := w.dec.Token()
	if err != nil || (w.dec.InputOffset() >= w.offset && indexes.ReplaceAllString(string(at), "") == w.field) {
		return at, err == nil
	}
	delimiter, _ := token.(json.Delim)
	if delimiter != '{' && delimiter != '[' {
		return "", false
	}
	for i := 0; w.dec.More(); i++ {
		next := at.Index(i)
		if delimiter == '{' {
			name, err := w.dec.Token()
			key, isKey := name.(string)
			if err != nil || !isKey {
				return "", false
			}
			next = at.Field(key)
		}
		if found, ok := w.value(next); ok {
			return found, true
		}
	}
	_, _ = w.dec.Token()
	return "", false
}
