package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// placesAnnotation on a storage contains all places where it was to store objects, by their identifiers, as a JSON
// object. Users who can change it can change the storage anyway, and it moves with the storage.
const placesAnnotation = "bootstrap.machineadm.io/places"

// placeDigits is the length of a place's identifier.
const placeDigits = 8

// place is where a storage's objects are. The other fields of a storage configure the access.
type place struct {
	Bucket    string `json:"bucket"`
	Prefix    string `json:"prefix,omitempty"`
	Region    string `json:"region,omitempty"`
	Endpoint  string `json:"endpoint,omitempty"`
	PathStyle bool   `json:"pathStyle,omitempty"`
}

func placeOf(s v1alpha1.S3BootstrapStorageSpec) place {
	return place{Bucket: s.Bucket, Prefix: s.Prefix, Region: s.Region, Endpoint: s.Endpoint, PathStyle: s.PathStyle}
}

// write sets the place in the spec.
func (p place) write(s *v1alpha1.S3BootstrapStorageSpec) {
	s.Bucket, s.Prefix, s.Region, s.Endpoint, s.PathStyle = p.Bucket, p.Prefix, p.Region, p.Endpoint, p.PathStyle
}

func (p place) id() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{p.Bucket, p.Prefix, p.Region, p.Endpoint, p.PathStyle}))
	return hex.EncodeToString(sum[:])[:placeDigits]
}

// places returns all places of a storage, or none if the annotation is invalid. Objects are then looked for at the
// current place.
func places(s *v1alpha1.S3BootstrapStorage) map[string]place {
	known := map[string]place{}
	if json.Unmarshal([]byte(s.Annotations[placesAnnotation]), &known) != nil || known == nil {
		return map[string]place{}
	}
	return known
}

// withPlace records the current place and reports whether it was known.
func withPlace(s *v1alpha1.S3BootstrapStorage) (known bool, err error) {
	all, now := places(s), placeOf(s.Spec)
	if _, known := all[now.id()]; known {
		return true, nil
	}
	all[now.id()] = now
	text, err := json.Marshal(all)
	if err != nil {
		return false, fmt.Errorf("note the place: %w", err)
	}
	if s.Annotations == nil {
		s.Annotations = map[string]string{}
	}
	s.Annotations[placesAnnotation] = string(text)
	return false, nil
}
