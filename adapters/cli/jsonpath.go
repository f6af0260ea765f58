package cli

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/machineadm/machineadm/domain/report"
)

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// pathAt returns the path, with indexes, of the value that ends at the offset. encoding/json reports the field without
// indexes; it is returned if the value at the offset belongs to another field.
func pathAt(data []byte, offset int64, field string) report.Path {
	s := valueSearch{dec: json.NewDecoder(bytes.NewReader(data)), offset: offset, field: field}
	if found, ok := s.below(""); ok {
		return found
	}
	return report.Path(field)
}

// valueSearch searches for a value of a field that ends at or after an offset.
type valueSearch struct {
	dec    *json.Decoder
	offset int64
	field  string
}

// below searches the next value, whose path is given, and the values in it.
func (s *valueSearch) below(path report.Path) (report.Path, bool) {
	token, err := s.dec.Token()
	if err != nil || (s.dec.InputOffset() >= s.offset && indexes.ReplaceAllString(string(path), "") == s.field) {
		return path, err == nil
	}
	delimiter, _ := token.(json.Delim)
	if delimiter != '{' && delimiter != '[' {
		return "", false
	}
	for i := 0; s.dec.More(); i++ {
		next := path.Index(i)
		if delimiter == '{' {
			name, err := s.dec.Token()
			key, isKey := name.(string)
			if err != nil || !isKey {
				return "", false
			}
			next = path.Field(key)
		}
		if found, ok := s.below(next); ok {
			return found, true
		}
	}
	_, _ = s.dec.Token()
	return "", false
}
