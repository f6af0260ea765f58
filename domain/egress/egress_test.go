package egress_test

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/egress"
)

func parse(t *testing.T, entries ...string) egress.Policy {
	t.Helper()
	p, err := egress.Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func endpoint(p egress.Policy, text string) (egress.Grant, error) {
	u, err := url.Parse(text)
	if err != nil {
		return egress.Grant{}, err
	}
	return p.Endpoint(u)
}

func TestEndpoint(t *testing.T) {
	cases := map[string]struct {
		list, allowed, refused []string
	}{
		"nothing": {refused: []string{"https://s3.amazonaws.com", "https://s3.example", "https://192.0.43.8"}},
		"AWS": {
			list: []string{"aws"},
			allowed: []string{
				"https://s3.amazonaws.com", "https://s3.eu-central-1.amazonaws.com", "https://S3.eu-central-1.AMAZONAWS.com./",
				"https://s3-us-west-2.amazonaws.com", "https://s3.dualstack.us-east-1.amazonaws.com:443",
				"https://s3-fips.us-gov-west-1.amazonaws.com",
				"https://s3-fips.dualstack.us-east-2.amazonaws.com", "https://s3.cn-north-1.amazonaws.com.cn",
				"https://s3.eusc-de-east-1.amazonaws.eu",
			},
			refused: []string{
				"http://s3.amazonaws.com", "https://s3.amazonaws.com:8443", "https://s3.amazonaws.com.example",
				"https://s3.example",
				"https://ec2-192-0-43-8.compute-1.amazonaws.com", "https://a.elb.us-east-1.amazonaws.com",
				"https://s3.s3.amazonaws.com",
				"https://bucket.s3.amazonaws.com", "https://a.execute-api.us-east-1.amazonaws.com", "https://xs3.amazonaws.com",
				"https://bucket.vpce-1a2b3c4d-5e6f.s3.us-east-1.vpce.amazonaws.com", "https://192.0.43.8",
				"https://sts.amazonaws.com",
			},
		},
		"name": {
			list: []string{"s3.example", "minio.minio.svc:9000", "http://old.example"},
			allowed: []string{
				"https://s3.example", "https://S3.Example.:443/", "https://minio.minio.svc:9000",
				"http://old.example", "http://old.example:80",
			},
			refused: []string{
				"https://a.s3.example", "https://s3.example:8443", "http://s3.example", "http://s3.example:443",
				"https://minio.minio.svc",
				"http://minio.minio.svc:9000", "https://old.example", "https://s3.amazonaws.com", "https://es3.example",
				// U+0130 is i in lower case, and another letter in a domain name.
				"https://m\u0130nio.minio.svc:9000", "https://minio\u3002minio.svc:9000",
			},
		},
		"wildcard": {
			list: []string{"*.storage.example", "https://*.ports.example:*"},
			allowed: []string{
				"https://a.storage.example", "https://a.b.storage.example", "https://x.ports.example:9000",
			},
			refused: []string{
				"https://storage.example", "https://astorage.example", "https://a.storage.example:9000",
				"http://x.ports.example:9000", "https://127.0.0.1", "https://*.storage.example",
				"https://..storage.example", "https://\u212a.storage.example",
			},
		},
		"any host": {
			list:    []string{"*"},
			allowed: []string{"https://s3.example", "https://192.0.43.8", "https://[2001:4860:4860::8888]"},
			refused: []string{
				"https://10.1.2.3", "https://[fd00::1]", "https://127.0.0.1", "https://169.254.169.254",
				"https://[::ffff:127.0.0.1]",
				"https://[fe80::1%25eth0]", "https://0.0.0.0", "http://s3.example", "https://s3.example:9000",
				"https://[64:ff9b::a9fe:a9fe]", "https://100.64.0.1",
			},
		},
		"network": {
			list: []string{"10.20.0.0/16:9000", "[fd00:7::/32]:*", "http://127.0.0.1:*", "203.0.113.7"},
			allowed: []string{
				"https://10.20.3.4:9000", "https://[fd00:7::1]:1234", "http://127.0.0.1:4321",
				"https://203.0.113.7", "https://[::ffff:10.20.3.4]:9000", "https://[64:ff9b::a14:304]:9000",
			},
			refused: []string{
				"https://10.21.3.4:9000", "https://10.20.3.4", "https://[fd00:8::1]", "https://127.0.0.1:4321",
				"http://127.0.0.2:4321", "https://203.0.113.8", "https://s3.example:9000",
			},
		},
		"everything": {
			list:    []string{"0.0.0.0/0:*", "[::/0]:*"},
			allowed: []string{"https://10.1.2.3:9000", "https://192.0.43.8", "https://[fd00::1]"},
			refused: []string{
				"https://127.0.0.1", "https://169.254.169.254", "https://[::1]", "https://[fd00:ec2::254]",
				"https://[fd00:c1::a9fe:a9fe]", "https://100.100.100.200", "https://224.0.0.1",
				"https://s3.example",
			},
		},
		"numbers that some read as addresses": {
			list:    []string{"*", "*.example"},
			allowed: []string{"https://1.example", "https://0x7f.example", "https://x1", "https://1x"},
			refused: []string{
				"https://2130706433", "https://0x7f000001", "https://0x7f.1", "https://0177.0.0.1", "https://127.1",
				"https://127.0.0.1.",
				"https://a.0x", "https://0X7F.1", "https://a.1",
			},
		},
		"parts": {
			list: []string{"*:*"},
			refused: []string{
				"https://s3.example/v1/kv", "https://s3.example?a=b", "https://s3.example#a",
				"https://a@s3.example", "https://:443", "ftp://s3.example", "s3.example",
				"https://s3.example:0", "https://s3.example:99999",
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := parse(t, c.list...)
			for _, text := range c.allowed {
				if _, err := endpoint(p, text); err != nil {
					t.Errorf("%v", err)
				}
			}
			for _, text := range c.refused {
				if _, err := endpoint(p, text); err == nil {
					t.Errorf("%s is allowed", text)
				}
			}
		})
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "host name", "a b": "host name", "ftp://a": "neither http nor https", "a:": "not a port", "a:0": "not a port",
		"a:65536": "not a port", "a:https": "not a port", "10.1.2.3/8": "zeros after the prefix",
		"::ffff:10.0.0.0/104": "not a network", "10.0.0.0/33": "not a network", "*.": "host name", "a.*": "host name",
		"127.1": "host name", "*.0x7f": "host name",
		"**": "host name", "https://a/b": "not a network", "aws:443,": "not a port",
	} {
		if _, err := egress.Parse([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestCheck holds what each kind of entry allows a name to resolve to.
func TestCheck(t *testing.T) {
	const (
		public   = "192.0.43.8"
		internal = "10.1.2.3"
		loopback = "127.0.0.1"
		listed   = "10.20.3.4"
		service  = "11.0.0.1"
	)
	list := []string{
		"aws", "minio.minio.svc", "*.storage.example", "*:9000", "10.20.0.0/16", "loop.example",
		"127.0.0.1:9000",
	}
	cases := map[string]struct {
		endpoint string
		named    bool
		refused  map[string]error
		allowed  []string
	}{
		"AWS": {
			"https://s3.amazonaws.com", true,
			map[string]error{internal: egress.ErrPrivate, loopback: egress.ErrLocal, service: egress.ErrPrivate},
			[]string{public, listed},
		},
		"exact name": {
			"https://minio.minio.svc", true,
			map[string]error{
				loopback: egress.ErrLocal, "169.254.169.254": egress.ErrLocal, "fd00:ec2::254": egress.ErrLocal,
			},
			[]string{public, internal, listed, service, "fd00::1"},
		},
		"wildcard": {
			"https://a.storage.example", false,
			map[string]error{internal: egress.ErrPrivate, loopback: egress.ErrLocal, service: egress.ErrPrivate},
			[]string{public, listed},
		},
		"any host": {
			"https://a.example:9000", false,
			map[string]error{internal: egress.ErrPrivate, listed: egress.ErrPrivate},
			[]string{public, loopback},
		},
		"network": {
			"https://10.20.3.4", false,
			map[string]error{internal: egress.ErrPrivate, loopback: egress.ErrLocal},
			[]string{public, listed},
		},
		"local address": {
			"https://127.0.0.1:9000", true,
			map[string]error{internal: egress.ErrPrivate, "127.0.0.2": egress.ErrLocal},
			[]string{loopback},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g, err := endpoint(parse(t, list...).WithPrivate(netip.MustParsePrefix("11.0.0.0/16")), c.endpoint)
			if err != nil || g.Named() != c.named {
				t.Fatalf("named %t, %v", g.Named(), err)
			}
			for address, want := range c.refused {
				if err := g.Check(netip.MustParseAddr(address)); !errors.Is(err, want) {
					t.Errorf("%s: %v", address, err)
				}
			}
			for _, address := range c.allowed {
				if err := g.Check(netip.MustParseAddr(address)); err != nil {
					t.Errorf("%s: %v", address, err)
				}
			}
		})
	}
}

// TestAddresses has an address of each network and each embedding, with the source of its meaning.
func TestAddresses(t *testing.T) {
	g, err := endpoint(parse(t, "*"), "https://a.example")
	if err != nil {
		t.Fatal(err)
	}
	for address, c := range map[string]struct {
		source string
		want   error
	}{
		"0.1.2.3":                        {"RFC 791", egress.ErrLocal},
		"10.255.0.1":                     {"RFC 1918", egress.ErrPrivate},
		"100.64.0.1":                     {"RFC 6598", egress.ErrPrivate},
		"100.100.100.200":                {"Alibaba Cloud: metadata", egress.ErrLocal},
		"127.8.9.1":                      {"RFC 1122", egress.ErrLocal},
		"168.63.129.16":                  {"Azure: wire server", egress.ErrLocal},
		"169.254.169.254":                {"AWS, Azure, Google Cloud: metadata", egress.ErrLocal},
		"169.254.170.2":                  {"AWS: credentials of ECS tasks", egress.ErrLocal},
		"169.254.170.23":                 {"AWS: credentials of EKS pods", egress.ErrLocal},
		"169.254.42.42":                  {"Scaleway: metadata", egress.ErrLocal},
		"172.16.0.1":                     {"RFC 1918", egress.ErrPrivate},
		"172.31.255.255":                 {"RFC 1918", egress.ErrPrivate},
		"192.0.0.192":                    {"Oracle Cloud at Customer: metadata", egress.ErrLocal},
		"192.168.1.1":                    {"RFC 1918", egress.ErrPrivate},
		"198.18.0.1":                     {"RFC 2544", egress.ErrPrivate},
		"224.0.0.1":                      {"RFC 5771", egress.ErrLocal},
		"255.255.255.255":                {"RFC 919", egress.ErrLocal},
		"::":                             {"RFC 4291", egress.ErrLocal},
		"::1":                            {"RFC 4291", egress.ErrLocal},
		"fc00::1":                        {"RFC 4193", egress.ErrPrivate},
		"fd12:3456::1":                   {"RFC 4193", egress.ErrPrivate},
		"fd00:42::42":                    {"Scaleway: metadata", egress.ErrLocal},
		"fd00:ec2::254":                  {"AWS: metadata", egress.ErrLocal},
		"fd00:ec2::254%eth0":             {"AWS: metadata, with a zone", egress.ErrLocal},
		"fd00:ec2::23":                   {"AWS: credentials of EKS pods", egress.ErrLocal},
		"fd00:ec2::253":                  {"AWS: DNS", egress.ErrLocal},
		"fd00:ec2::123":                  {"AWS: NTP", egress.ErrLocal},
		"fd00:100::100:200":              {"Alibaba Cloud: metadata", egress.ErrLocal},
		"fd00:a9fe:a9fe::1":              {"Akamai: metadata", egress.ErrLocal},
		"fd00:c1::a9fe:a9fe":             {"Oracle Cloud: metadata", egress.ErrLocal},
		"fd20:ce::254":                   {"Google Cloud: metadata", egress.ErrLocal},
		"fe80::a9fe:a9fe":                {"RFC 4291, and OpenStack's metadata", egress.ErrLocal},
		"fe80::1%eth0":                   {"RFC 4291, with a zone", egress.ErrLocal},
		"fec0::1":                        {"RFC 3879", egress.ErrPrivate},
		"ff02::1":                        {"RFC 4291", egress.ErrLocal},
		"::ffff:169.254.169.254":         {"RFC 4291: IPv4-mapped", egress.ErrLocal},
		"::ffff:10.1.2.3":                {"RFC 4291: IPv4-mapped", egress.ErrPrivate},
		"::ffff:0:127.0.0.1":             {"RFC 2765: IPv4-translated", egress.ErrLocal},
		"::127.0.0.1":                    {"RFC 4291: IPv4-compatible", egress.ErrLocal},
		"::10.1.2.3":                     {"RFC 4291: IPv4-compatible", egress.ErrPrivate},
		"64:ff9b::a9fe:a9fe":             {"RFC 6052: NAT64", egress.ErrLocal},
		"64:ff9b::7f00:1":                {"RFC 6052: NAT64", egress.ErrLocal},
		"64:ff9b::a01:203":               {"RFC 6052: NAT64", egress.ErrPrivate},
		"64:ff9b:1::a9fe:a9fe":           {"RFC 8215: local NAT64", egress.ErrLocal},
		"64:ff9b:1:a9fe:a9:fe00::":       {"RFC 8215 with a /48", egress.ErrLocal},
		"2002:a9fe:a9fe::1":              {"RFC 3056: 6to4", egress.ErrLocal},
		"2002:a01:203::1":                {"RFC 3056: 6to4", egress.ErrPrivate},
		"2001:0:a9fe:a9fe::1":            {"RFC 4380: Teredo's server", egress.ErrLocal},
		"2001:0:c000:2b08:0:0:5601:5601": {"RFC 4380: Teredo's client, 169.254.169.254 inverted", egress.ErrLocal},
		"2001:db8::5efe:7f00:1":          {"RFC 3849", egress.ErrPrivate},
		"2600::5efe:7f00:1":              {"RFC 5214: ISATAP", egress.ErrLocal},
		"2600::200:5efe:a01:203":         {"RFC 5214: ISATAP", egress.ErrPrivate},
		"192.0.43.8":                     {"a public address", nil},
		"100.128.0.1":                    {"beside RFC 6598", nil},
		"168.63.129.17":                  {"beside Azure's", nil},
		"172.32.0.1":                     {"beside RFC 1918", nil},
		"2600:1f18::1":                   {"a public address", nil},
		"64:ff9b::c000:2b08":             {"NAT64 of a public address", nil},
		"2002:c000:2b08::1":              {"6to4 of a public address", nil},
		"::ffff:192.0.43.8":              {"IPv4-mapped public address", nil},
	} {
		if err := g.Check(netip.MustParseAddr(address)); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s (%s): %v, want %v", address, c.source, err, c.want)
		}
	}
}

// TestListedForms holds that a listed network does not open what its addresses embed.
func TestListedForms(t *testing.T) {
	p := parse(t, "[64:ff9b:1::/48]:*", "[::1]:*", "[2002::/16]:*")
	for text, allowed := range map[string]bool{
		"https://[64:ff9b:1::c000:2b08]": true, "https://[64:ff9b:1::a9fe:a9fe]": false,
		"https://[64:ff9b:1::a01:203]": false,
		"https://[::1]":                true, "https://[2002:c000:2b08::1]": true, "https://[2002:a9fe:a9fe::1]": false,
	} {
		if _, err := endpoint(p, text); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestIsAWSRegion(t *testing.T) {
	for region, want := range map[string]bool{
		"us-east-1": true, "eu-central-1": true, "ap-southeast-7": true, "us-gov-west-1": true, "cn-north-1": true,
		"eusc-de-east-1": true,
		"us-isob-east-1": true, "s3": false, "elb": false, "": false, "us-east-1.evil": false, "us-east-1\n": false,
		"US-EAST-1": false, "aws-global": false,
	} {
		if egress.IsAWSRegion(region) != want {
			t.Error(region)
		}
	}
}
