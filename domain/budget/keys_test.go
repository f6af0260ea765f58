package budget_test

import (
	"bytes"
	"testing"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/test/longkey"
)

func TestCheckCertificates(t *testing.T) {
	long := longkey.Authority(t)
	broken := []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
	for name, tc := range map[string]struct {
		text    []byte
		refused bool
	}{
		"nothing":        {nil, false},
		"no certificate": {broken, false},
		"long":           {long, true},
		"long at last":   {bytes.Join([][]byte{broken, long}, nil), true},
	} {
		if err := budget.CheckCertificates(tc.text); (err != nil) != tc.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
