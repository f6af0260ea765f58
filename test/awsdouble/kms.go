// Package awsdouble has a test double of the AWS Key Management Service. It is none of AWS's own: it verifies the
// signature of each request and the form of what is sent (X-Amz-Target, application/x-amz-json-1.1, the fields' names
// and types), wraps keys for real with their encryption context, and knows nothing of grants, of regions but that a key
// has one, and of policies but a condition on the context.
package awsdouble

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// KMS is the double.
type KMS struct {
	*httptest.Server
	Credentials
	// Keys are the ARNs of the keys that it has.
	Keys []string
	// Context, if it is set, is the encryption context that a policy has as its condition: requests with another are
	// denied.
	Context map[string]string
	// Requests counts what was asked.
	Requests atomic.Int32
	// Response, if it is set, is answered instead: an exception's name and its status.
	Response func() (exception string, status int)
	sealer   cipher.AEAD
}

// New starts a double with the keys.
func New(t *testing.T, keys ...string) *KMS {
	t.Helper()
	master := make([]byte, 32)
	_, _ = rand.Read(master)
	block, err := aes.NewCipher(master)
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	k := &KMS{
		Credentials: Credentials{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}, Keys: keys,
		sealer: sealer,
	}
	k.Server = httptest.NewServer(http.HandlerFunc(k.serve))
	t.Cleanup(k.Close)
	return k
}

func (k *KMS) serve(w http.ResponseWriter, r *http.Request) {
	k.Requests.Add(1)
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	if k.Response != nil {
		if exception, status := k.Response(); exception != "" {
			refuse(w, status, exception, "as the test wants it")
			return
		}
	}
	region, err := k.verify(r, body, "kms", time.Now())
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "IncompleteSignatureException", err.Error())
	case r.Method != http.MethodPost || r.URL.Path != "/" || r.Header.Get("Content-Type") != "application/x-amz-json-1.1":
		refuse(w, http.StatusBadRequest, "SerializationException", "this is another protocol")
	case r.Header.Get("X-Amz-Target") == "TrentService.GenerateDataKey":
		k.generate(w, body, region)
	case r.Header.Get("X-Amz-Target") == "TrentService.Decrypt":
		k.decrypt(w, body, region)
	default:
		refuse(w, http.StatusBadRequest, "UnknownOperationException", r.Header.Get("X-Amz-Target"))
	}
}

// has reports whether there is such a key in the region.
func (k *KMS) has(arn, region string) bool {
	for _, key := range k.Keys {
		if key == arn && strings.Split(arn, ":")[3] == region {
			return true
		}
	}
	return false
}

func read(w http.ResponseWriter, body []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "SerializationException", err.Error())
		return false
	}
	return true
}

func (k *KMS) generate(w http.ResponseWriter, body []byte, region string) {
	var in struct {
		KeyID             string `json:"KeyId"`
		NumberOfBytes     int
		EncryptionContext map[string]string
	}
	if !read(w, body, &in) {
		return
	}
	if !k.has(in.KeyID, region) {
		refuse(w, http.StatusBadRequest, "NotFoundException", "Key '"+in.KeyID+"' does not exist")
		return
	}
	if k.Context != nil && !maps.Equal(in.EncryptionContext, k.Context) {
		refuse(w, http.StatusBadRequest, "AccessDeniedException",
			"not authorized to perform kms:GenerateDataKey with this context")
		return
	}
	key := make([]byte, in.NumberOfBytes)
	_, _ = rand.Read(key)
	wrapped := k.sealer.Seal(nil, nil, key, bound(in.KeyID, in.EncryptionContext))
	answer(w, map[string]any{"KeyId": in.KeyID, "Plaintext": key, "CiphertextBlob": wrapped})
}

func (k *KMS) decrypt(w http.ResponseWriter, body []byte, region string) {
	var in struct {
		KeyID             string `json:"KeyId"`
		CiphertextBlob    []byte
		EncryptionContext map[string]string
	}
	if !read(w, body, &in) {
		return
	}
	if !k.has(in.KeyID, region) {
		refuse(w, http.StatusBadRequest, "AccessDeniedException", "not authorized to perform kms:Decrypt on "+in.KeyID)
		return
	}
	if k.Context != nil && !maps.Equal(in.EncryptionContext, k.Context) {
		refuse(w, http.StatusBadRequest, "AccessDeniedException", "not authorized to perform kms:Decrypt with this context")
		return
	}
	key, err := k.sealer.Open(nil, nil, in.CiphertextBlob, bound(in.KeyID, in.EncryptionContext))
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidCiphertextException", "")
		return
	}
	answer(w, map[string]any{"KeyId": in.KeyID, "Plaintext": key, "EncryptionAlgorithm": "SYMMETRIC_DEFAULT"})
}

// bound is what is authenticated beside a wrapped key: the key's name and the encryption context, which JSON writes in
// the order of its keys.
func bound(key string, context map[string]string) []byte {
	text, err := json.Marshal([]any{key, context})
	if err != nil {
		return nil
	}
	return text
}

func answer(w http.ResponseWriter, fields map[string]any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	_ = json.NewEncoder(w).Encode(fields)
}

func refuse(w http.ResponseWriter, status int, exception, message string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": exception, "message": message})
}
