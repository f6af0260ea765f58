package egress_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/machineadm/machineadm/domain/egress"
)

func TestNetworks(t *testing.T) {
	cases := map[string]struct {
		listed  []string
		address string
		want    error
	}{
		"private by default":             {nil, "10.1.2.3", nil},
		"public by default":              {nil, "198.41.0.4", nil},
		"no loopback by default":         {nil, "127.0.0.1", egress.ErrLocal},
		"no metadata by default":         {nil, "169.254.169.254", egress.ErrLocal},
		"no mapped loopback":             {nil, "::ffff:127.0.0.1", egress.ErrLocal},
		"no embedded loopback":           {nil, "64:ff9b::7f00:1", egress.ErrLocal},
		"listed":                         {[]string{"10.0.0.0/8"}, "10.1.2.3", nil},
		"not listed":                     {[]string{"10.0.0.0/8"}, "192.168.0.1", egress.ErrUnlisted},
		"loopback is listed itself":      {[]string{"127.0.0.0/8"}, "127.0.0.1", nil},
		"loopback in a larger network":   {[]string{"0.0.0.0/0"}, "127.0.0.1", egress.ErrLocal},
		"an embedded address not listed": {[]string{"64:ff9b::/96"}, "64:ff9b::a01:203", egress.ErrUnlisted},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			networks, err := egress.ParseNetworks(c.listed)
			if err != nil {
				t.Fatal(err)
			}
			if err := networks.Check(netip.MustParseAddr(c.address)); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
	for _, text := range []string{"", "10.0.0.1/8", "10.0.0.0", "::ffff:10.0.0.0/104"} {
		if _, err := egress.ParseNetworks([]string{text}); err == nil {
			t.Errorf("%q is a network", text)
		}
	}
}
