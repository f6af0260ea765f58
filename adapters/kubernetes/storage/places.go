package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// placesAnnotation has, on a storage in buckets, all places that it was ever to put objects to, by their ids, as a JSON
// object. It stands there and not beside the objects, since whoever can change it can change the storage anyway; and it
// moves along with the storage.
const placesAnnotation = "bootstrap.machineadm.io/places"

// placeDigits are how much of its digest the id of a place has.
const placeDigits = 8

// place is where objects of a storage are. What else a storage says is how to get there.
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

// write has the spec be that of a storage at the place.
func (p place) write(s *v1alpha1.S3BootstrapStorageSpec) {
	s.Bucket, s.Prefix, s.Region, s.Endpoint, s.PathStyle = p.Bucket, p.Prefix, p.Region, p.Endpoint, p.PathStyle
}

func (p place) id() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{p.Bucket, p.Prefix, p.Region, p.Endpoint, p.PathStyle}))
	return hex.EncodeToString(sum[:])[:placeDigits]
}

// places reads all places of a storage. What cannot be read is none: objects are looked for where the storage is now.
func places(s *v1alpha1.S3BootstrapStorage) map[string]place {
	known := map[string]place{}
	if json.Unmarshal([]byte(s.Annotations[placesAnnotation]), &known) != nil || known == nil {
		return map[string]place{}
	}
	return known
}

// withPlace notes where the storage is now, and reports whether that was known.
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
