package cli

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/machineadm/machineadm/domain/report"
)

var (
	indexes = regexp.MustCompile(`\[[0-9]+\]`)
	// embedded matches the names of embedded Go types. Fields of the API begin with a lower-case letter.
	embedded = regexp.MustCompile(`(?:^|\.)[A-Z]\w*`)
)

// pathAt returns the path, with indexes and keys of maps, of the value that ends at the offset. encoding/json reports
// the field without them, and with the names of embedded types. The field is returned if the value at the offset does
// not belong to it.
func pathAt(data []byte, offset int64, field string) report.Path {
	at := report.Path(embedded.ReplaceAllString(field, ""))
	s := valueSearch{dec: json.NewDecoder(bytes.NewReader(data)), offset: offset, field: at}
	if found, ok := s.below(""); ok {
		return found
	}
	return at
}

// valueSearch searches for a value in a field that ends at or after an offset.
type valueSearch struct {
	dec    *json.Decoder
	offset int64
	field  report.Path
}

// below searches the next value, whose path is given, and the values in it.
func (s *valueSearch) below(path report.Path) (report.Path, bool) {
	token, err := s.dec.Token()
	named := report.Path(indexes.ReplaceAllString(string(path), ""))
	if err != nil || (s.dec.InputOffset() >= s.offset && named.Under(s.field)) {
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
