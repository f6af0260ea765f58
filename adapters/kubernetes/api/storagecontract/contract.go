// Package storagecontract is the contract between machineadm and the controllers of storage resources. It defines how
// machineadm requests that a value is stored, and how the controller answers. docs/storage-contract.md describes the
// contract, and package conformance tests an implementation.
//
// A storage request is a Secret. machineadm creates one for each machine and writes the bytes to store. The controller
// of the named storage resource writes the URL of the stored bytes into the same Secret. Neither changes the keys of
// the other.
package storagecontract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SecretType is the type of request Secrets.
const SecretType corev1.SecretType = "bootstrap.machineadm.io/storage-request"

// The keys that machineadm writes.
const (
	// KindLabel contains the kind of the storage resource, so that its controller can select its Secrets.
	KindLabel = "bootstrap.machineadm.io/storage-kind"
	// StorageAnnotation names the storage resource in the Secret's namespace, as kind.group/name.
	StorageAnnotation = "bootstrap.machineadm.io/storage"
	// DigestAnnotation is the SHA-256 of the bytes to store, in lower-case hexadecimal.
	DigestAnnotation = "bootstrap.machineadm.io/digest"
	// ValueKey contains the bytes to store.
	ValueKey = "value"
)

// The keys that the storage controller writes.
const (
	// StoredAnnotation is the digest of the bytes that are stored. The rest of the answer is about these bytes.
	StoredAnnotation = "bootstrap.machineadm.io/stored"
	// ExpiresAnnotation is the time at which the URL expires (RFC 3339). Without it, the URL does not expire.
	ExpiresAnnotation = "bootstrap.machineadm.io/stored-until"
	// ProblemAnnotation is a sentence without secrets that explains why the bytes are not stored yet, or why old objects
	// are not deleted. It is missing if there is no problem.
	ProblemAnnotation = "bootstrap.machineadm.io/storage-problem"
	// URLKey contains the http or https URL.
	URLKey = "url"
	// HeadersKey contains the headers of the request as a JSON object of strings. It is optional.
	HeadersKey = "headers"
	// CAKey contains PEM certificates that are trusted for the server, in addition to those of the system. It is
	// optional.
	CAKey = "ca.crt"
)

// maxProblem limits the length of a problem in bytes.
const maxProblem = 512

// ErrNotARequest means that a Secret is not a storage request.
var ErrNotARequest = errors.New("not a storage request")

// Storage names a storage resource.
type Storage struct{ Group, Kind, Name string }

// String returns kind.group/name.
func (s Storage) String() string { return fmt.Sprintf("%s.%s/%s", s.Kind, s.Group, s.Name) }

// Request is machineadm's request. It can be read from the metadata of a Secret alone.
type Request struct {
	Storage Storage
	// Digest is the SHA-256 of the bytes.
	Digest string
}

// RequestOf reads the request, or returns ErrNotARequest.
func RequestOf(o metav1.Object) (Request, error) {
	a := o.GetAnnotations()
	resource, name, named := strings.Cut(a[StorageAnnotation], "/")
	kind, group, grouped := strings.Cut(resource, ".")
	if !named || !grouped || name == "" || kind == "" || kind != o.GetLabels()[KindLabel] ||
		len(a[DigestAnnotation]) != 64 {
		return Request{}, fmt.Errorf("%s/%s: %w", o.GetNamespace(), o.GetName(), ErrNotARequest)
	}
	return Request{Storage: Storage{Group: group, Kind: kind, Name: name}, Digest: a[DigestAnnotation]}, nil
}

// Write requests that the bytes are stored. The answer for earlier bytes remains until the storage controller has
// updated it, since machines may still fetch those.
func (r Request) Write(s *corev1.Secret, value []byte) {
	s.Type = SecretType
	setKey(&s.Labels, KindLabel, r.Storage.Kind)
	setKey(&s.Annotations, StorageAnnotation, r.Storage.String())
	setKey(&s.Annotations, DigestAnnotation, r.Digest)
	if s.Data == nil {
		s.Data = map[string][]byte{}
	}
	s.Data[ValueKey] = value
}

// Answered reports, from the metadata of the Secret, whether the requested bytes are stored.
func Answered(o metav1.Object) bool {
	a := o.GetAnnotations()
	return a[DigestAnnotation] != "" && a[StoredAnnotation] == a[DigestAnnotation]
}

// Problem returns why the bytes are not stored yet or old objects are not deleted, or empty if there is no problem.
func Problem(o metav1.Object) string { return o.GetAnnotations()[ProblemAnnotation] }

// Answer describes how the stored bytes are fetched. It contains credentials.
type Answer struct {
	URL      string
	Headers  map[string]string
	CABundle []byte
	// Expires is the time at which the URL expires, or zero for never.
	Expires time.Time
}

// AnswerOf reads the answer to the current request, or false if there is none yet. An error means that the answer is
// invalid.
func AnswerOf(s *corev1.Secret) (Answer, bool, error) {
	if !Answered(s) {
		return Answer{}, false, nil
	}
	a := Answer{URL: string(s.Data[URLKey]), CABundle: s.Data[CAKey]}
	if headers := s.Data[HeadersKey]; len(headers) > 0 {
		// The decoder's error is dropped, because it may quote a credential.
		if json.Unmarshal(headers, &a.Headers) != nil {
			return Answer{}, false, fmt.Errorf("the key %s is not a JSON object of strings", HeadersKey)
		}
	}
	if text := s.Annotations[ExpiresAnnotation]; text != "" {
		var err error
		if a.Expires, err = time.Parse(time.RFC3339, text); err != nil {
			return Answer{}, false, fmt.Errorf("the annotation %s is not a time of RFC 3339", ExpiresAnnotation)
		}
	}
	return a, true, nil
}

// Write writes the answer for the digest and removes the reported problem.
func (a Answer) Write(s *corev1.Secret, digest string) error {
	if s.Data == nil {
		s.Data = map[string][]byte{}
	}
	s.Data[URLKey] = []byte(a.URL)
	setOrDelete(s.Data, CAKey, a.CABundle)
	headers := []byte(nil)
	if len(a.Headers) > 0 {
		var err error
		if headers, err = json.Marshal(a.Headers); err != nil {
			return err
		}
	}
	setOrDelete(s.Data, HeadersKey, headers)
	setKey(&s.Annotations, StoredAnnotation, digest)
	delete(s.Annotations, ExpiresAnnotation)
	if !a.Expires.IsZero() {
		s.Annotations[ExpiresAnnotation] = a.Expires.UTC().Format(time.RFC3339)
	}
	delete(s.Annotations, ProblemAnnotation)
	return nil
}

// SetProblem sets the reason why the bytes are not stored yet, or old objects are not deleted.
func SetProblem(o metav1.Object, sentence string) {
	a := o.GetAnnotations()
	setKey(&a, ProblemAnnotation, strings.ToValidUTF8(sentence[:min(len(sentence), maxProblem)], ""))
	o.SetAnnotations(a)
}

func setKey(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

func setOrDelete(m map[string][]byte, key string, value []byte) {
	if len(value) == 0 {
		delete(m, key)
		return
	}
	m[key] = value
}
