package v1alpha1

import (
	"encoding/json"
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// ByteSize is a number of bytes, such as 16384 or 16Ki: an integer or a text in JSON.
//
// Decoding keeps the text. A resource.Quantity accepts any exponent: the controller would compute 1e2000000000 digit by
// digit while it lists objects, and one object with a fractional exponent would prevent it from listing all others.
//
// +kubebuilder:validation:Type=""
// +kubebuilder:validation:XIntOrString
// +kubebuilder:validation:Pattern=`^[0-9]{1,12}(\.[0-9]{1,3})?(k|Ki|M|Mi|G|Gi)?$`
type ByteSize string

var byteSizePattern = regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,3})?(k|Ki|M|Mi|G|Gi)?$`)

// UnmarshalJSON accepts an integer or any text. Bytes checks it.
func (s *ByteSize) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(s))
	}
	if string(raw) != "null" {
		*s = ByteSize(raw)
	}
	return nil
}

// Bytes returns the number of bytes.
func (s ByteSize) Bytes() (int64, error) {
	if !byteSizePattern.MatchString(string(s)) {
		return 0, fmt.Errorf("it does not match %s", byteSizePattern)
	}
	q, err := resource.ParseQuantity(string(s))
	if err != nil {
		return 0, err
	}
	return q.Value(), nil
}
