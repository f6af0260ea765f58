package pkcs11_test

import (
	"errors"
	"testing"

	"github.com/machineadm/machineadm/adapters/kms/pkcs11"
	"github.com/machineadm/machineadm/ports"
)

func TestParseKey(t *testing.T) {
	k, err := pkcs11.ParseKey("pkcs11:token=my%20token;object=kek")
	if want := (pkcs11.Key{Token: "my token", Object: "kek"}); k != want || err != nil {
		t.Errorf("got %v, %v", k, err)
	}
	for name, in := range map[string]string{
		"empty": "", "no scheme": "token=a;object=b", "no token": "pkcs11:object=b", "no object": "pkcs11:token=a",
		"twice":   "pkcs11:token=a;token=b;object=c",
		"library": "pkcs11:token=a;object=b;module-path=/tmp/x.so", "PIN": "pkcs11:token=a;object=b;pin-value=1",
		"query":  "pkcs11:token=a;object=b?pin-value=1;x=y",
		"escape": "pkcs11:token=%zz;object=b", "trailing": "pkcs11:token=a;object=b;",
	} {
		if k, err := pkcs11.ParseKey(in); !errors.Is(err, ports.ErrKeyRefused) {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
}
