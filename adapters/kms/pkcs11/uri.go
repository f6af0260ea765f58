package pkcs11

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/machineadm/machineadm/ports"
)

// Name is the name of the provider.
const Name = "pkcs11"

// Key identifies a key on a token.
type Key struct {
	// Token is the label of the token, and Object the label of the key.
	Token, Object string
}

// ParseKey parses the name of a key, a PKCS#11 URI (RFC 7512) with the attributes token and object:
//
//	pkcs11:token=machineadm;object=kek
//
// Other attributes are an error, because a configuration must choose neither the library nor the PIN.
func ParseKey(name string) (Key, error) {
	var k Key
	rest, is := strings.CutPrefix(name, "pkcs11:")
	for attribute := range strings.SplitSeq(rest, ";") {
		what, text, _ := strings.Cut(attribute, "=")
		value, err := url.PathUnescape(text)
		switch {
		case err != nil:
			is = false
		case what == "token" && k.Token == "":
			k.Token = value
		case what == "object" && k.Object == "":
			k.Object = value
		default:
			is = false
		}
	}
	if !is || k.Token == "" || k.Object == "" {
		return Key{}, fmt.Errorf("%w: %q is not a key; write pkcs11:token=LABEL;object=LABEL", ports.ErrKeyRefused, name)
	}
	return k, nil
}
