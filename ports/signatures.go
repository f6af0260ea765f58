package ports

import "errors"

// ErrSignature means that a signature does not match the message and the public key.
var ErrSignature = errors.New("the signature is not that of this text by this key")

// SignatureVerifier verifies signatures. It needs no network.
type SignatureVerifier interface {
	// Verify returns nil if the signature, in base64, is valid for the message and the public key, in PEM. It returns
	// ErrSignature if it is not, and another error if the key or the signature cannot be parsed.
	Verify(key, message, signature []byte) error
}
