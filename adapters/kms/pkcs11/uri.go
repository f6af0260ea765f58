package pkcs11

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/machineadm/machineadm/ports"
)

// Name is the provider's.
const Name = "pkcs11"

// Key is a key of a token.
type Key struct {
	// Token is the token's label, and Object the key's.
	Token, Object string
}

// ParseKey reads the key's name, a URI of RFC 7512 with the attributes token and object:
//
//	pkcs11:token=machineadm;object=kek
//
// Others are refused: a configuration chooses neither the library that is loaded nor the PIN.
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
