package ports

import "errors"

// ErrSignature means that a signature is not that of the text by the key.
var ErrSignature = errors.New("the signature is not that of this text by this key")

// Signatures verifies signatures. It needs no network.
type Signatures interface {
	// Verify returns nil if the signature, in base64, is that of the message by the public key, in PEM; ErrSignature if it
	// is another's or of another text; and another error if the key or the signature is none.
	Verify(key, message, signature []byte) error
}
