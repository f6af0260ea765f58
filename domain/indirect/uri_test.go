package indirect_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/indirect"
)

// The URIs that the proposal writes.
const (
	proposedKey   = "kms://ZW5jcnlwdGVk@arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
	proposedPlace = "s3://us-west-2.cluster-api.contoso.com/bootstrap/test-cluster-machine-ufjdhad.yaml"
)

func TestKeyURI(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		want       indirect.KeyURI
	}{
		"the proposal's": {"its own example", proposedKey, indirect.KeyURI{
			Wrapped: []byte("encrypted"), Key: "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
		}},
		"padding and slash": {"base64 has them", "kms:///+8=@k", indirect.KeyURI{Wrapped: []byte{0xff, 0xef}, Key: "k"}},
		"PKCS#11": {"a URI in a URI", "kms://AAA=@pkcs11:token=a;object=b", indirect.KeyURI{
			Wrapped: []byte{0, 0}, Key: "pkcs11:token=a;object=b",
		}},
		"any key": {
			"a plugin calls its keys as it likes", "kms://AAA=@a%20b%3F%25%00@c",
			indirect.KeyURI{Wrapped: []byte{0, 0}, Key: "a b?%\x00@c"},
		},
		"annotations": {"KMS v2", "kms://AAA=@k?a.example=AQ==&b.example=", indirect.KeyURI{
			Wrapped: []byte{0, 0}, Key: "k", Annotations: map[string][]byte{"a.example": {1}, "b.example": {}},
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := indirect.ParseKeyURI(c.in)
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%v: %s", err, diff)
			}
			if got.String() != c.in || indirect.KeyOf(c.in) != c.want.Key {
				t.Errorf("written %s, key %s", got, indirect.KeyOf(c.in))
			}
		})
	}
	proposed := strings.Clone(proposedKey)
	if _, err := url.Parse(proposed); err == nil {
		t.Error("net/url reads the proposal's URI by now; this grammar could go")
	}
}

func TestKeyURIRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"empty": "", "another scheme": "s3://a@b", "no key": "kms://AAA=@", "no at": "kms://AAA=",
		"nothing wrapped": "kms://@k", "no base64": "kms://A-_=@k",
		"line break": "kms://AAA=\n@k", "loose bits": "kms://AAB=@k", "cut escape": "kms://AAA=@k%4",
		"small escape":    "kms://AAA=@k%3f",
		"needless escape": "kms://AAA=@%41", "blank": "kms://AAA=@a b", "fragment": "kms://AAA=@k#a",
		"empty query": "kms://AAA=@k?", "no value": "kms://AAA=@k?a",
		"twice": "kms://AAA=@k?a=AQ==&a=AQ==", "order": "kms://AAA=@k?b=AQ==&a=AQ==", "name": "kms://AAA=@k?a%20=AQ==",
	} {
		if u, err := indirect.ParseKeyURI(in); !errors.Is(err, indirect.ErrURI) {
			t.Errorf("%s: %q gives %v, %v", name, in, u, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	if path, err := indirect.FilePath("file:///etc/machineadm/pass phrase"); path != "/etc/machineadm/pass phrase" ||
		err != nil {
		t.Errorf("FilePath = %q, %v", path, err)
	}
	for _, in := range []string{
		"", "/etc/p", "file://host/p", "file:///a/../b", "file:///a%20b", "file:///a?b",
		"file:///a\x00",
	} {
		if path, err := indirect.FilePath(in); !errors.Is(err, indirect.ErrURI) {
			t.Errorf("FilePath(%q) = %q, %v", in, path, err)
		}
	}
	if scheme, err := indirect.Scheme(proposedPlace); scheme != "s3" || err != nil {
		t.Errorf("Scheme = %q, %v", scheme, err)
	}
	for _, in := range []string{"", "s3", "s3://", "://a", "S3://a", "../x://a"} {
		if scheme, err := indirect.Scheme(in); !errors.Is(err, indirect.ErrURI) {
			t.Errorf("Scheme(%q) = %q, %v", in, scheme, err)
		}
	}
	for in, want := range map[string]string{"a\n": "a", "a\r\n": "a", "a\n\n": "a\n", "a": "a", "": "", " a ": " a "} {
		if got := string(indirect.Passphrase([]byte(in))); got != want {
			t.Errorf("Passphrase(%q) = %q", in, got)
		}
	}
}

// FuzzKeyURI holds that a URI has one form.
func FuzzKeyURI(f *testing.F) {
	f.Add(proposedKey)
	f.Add("kms://AAA=@a%20b?c=AQ==")
	f.Fuzz(func(t *testing.T, in string) {
		u, err := indirect.ParseKeyURI(in)
		if err == nil && u.String() != in {
			t.Errorf("%q is written %q", in, u)
		}
	})
}
