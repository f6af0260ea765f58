package awskms_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/machineadm/machineadm/adapters/kms/awskms"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/awsdouble"
)

var (
	_ ports.DataKeys    = awskms.Keys{}
	_ ports.Passphrases = awskms.Keys{}
)

const (
	key     = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
	foreign = "arn:aws:kms:us-west-2:444455556666:key/1234abcd-12ab-34cd-56ef-1234567890ab"
)

func keysOf(d *awsdouble.KMS) awskms.Keys {
	atOnce := retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.Backoff = 2, retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
	return awskms.Keys{Config: aws.Config{
		BaseEndpoint: &d.URL, Credentials: credentials.NewStaticCredentialsProvider(d.ID, d.Secret, ""),
		Retryer: func() aws.Retryer { return atOnce },
	}}
}

func TestPassphraseRoundTrip(t *testing.T) {
	d := awsdouble.New(t, key)
	k := keysOf(d)
	passphrase, uri, err := k.NewPassphrase(t.Context(), indirect.KeyName{Provider: awskms.Name, Key: key}, "default/m/1")
	if err != nil || passphrase.Len() != 32 || indirect.KeyOf(uri) != key {
		t.Fatalf("%d bytes, %s, %v", passphrase.Len(), uri, err)
	}
	if strings.Contains(uri, string(passphrase.Reveal())) {
		t.Error("the URI has the passphrase")
	}
	again, err := k.Passphrase(t.Context(), indirect.PassphraseRef{
		Provider: awskms.Name, URI: uri,
		Machine: "default/m/1",
	})
	if err != nil || !again.Equal(passphrase) {
		t.Errorf("%d bytes, %v", again.Len(), err)
	}
	if n := d.Requests.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestRefusals(t *testing.T) {
	d := awsdouble.New(t, key)
	_, uri, err := keysOf(d).NewPassphrase(t.Context(), indirect.KeyName{Key: key}, "default/m/1")
	if err != nil {
		t.Fatal(err)
	}
	u, err := indirect.ParseKeyURI(uri)
	if err != nil {
		t.Fatal(err)
	}
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40_000}
	cases := map[string]struct {
		reason, uri string
		change      func(*awsdouble.KMS, *awskms.Keys)
		want        error
		message     string
		requests    int32
	}{
		"another key": {reason: "the role may not use it", uri: indirect.KeyURI{
			Wrapped: u.Wrapped,
			Key:     foreign,
		}.String(), want: ports.ErrKeyRefused, message: "AccessDeniedException", requests: 1},
		"spoiled": {
			uri: indirect.KeyURI{Wrapped: u.Wrapped[1:], Key: key}.String(), want: ports.ErrKeyRefused,
			message: "InvalidCiphertextException", requests: 1,
		},
		"another region": {uri: indirect.KeyURI{Wrapped: u.Wrapped, Key: strings.Replace(key, "us-west-2", "eu-west-1",
			1)}.String(), want: ports.ErrKeyRefused, requests: 1},
		"wrong secret": {uri: uri, change: func(_ *awsdouble.KMS,
			k *awskms.Keys,
		) {
			k.Config.Credentials = static("AKIDEXAMPLE", "guess")
		}, want: ports.ErrKeyRefused, message: "IncompleteSignatureException", requests: 1},
		"no ARN": {
			uri: indirect.KeyURI{Wrapped: u.Wrapped, Key: "alias/mine"}.String(), want: ports.ErrKeyRefused,
			message: "is not the ARN",
		},
		"no URI": {uri: "s3://bucket/key", want: indirect.ErrURI},
		"failing service": {
			reason: "it may come back", uri: uri, change: failing("KMSInternalException", 500),
			want: ports.ErrKeysUnavailable, requests: 2,
		},
		"busy service": {
			uri: uri, change: failing("ThrottlingException", 400),
			want: ports.ErrKeysUnavailable, requests: 2,
		},
		"busy key": {
			uri: uri, change: failing("KeyUnavailableException", 500),
			want: ports.ErrKeysUnavailable, requests: 2,
		},
		"disabled key": {
			uri: uri, change: failing("DisabledException", 400), want: ports.ErrKeyRefused,
			message: "DisabledException", requests: 1,
		},
		"no service": {uri: uri, change: func(_ *awsdouble.KMS,
			k *awskms.Keys,
		) {
			k.Config.BaseEndpoint = aws.String("http://127.0.0.1:1")
		}, want: ports.ErrKeysUnavailable, message: "dial: connect: connection refused"},
		"no host": {uri: uri, change: broken(&net.OpError{Op: "dial", Err: &net.DNSError{
			Name:   "kms.example",
			Server: "127.0.0.1:53",
		}}), want: ports.ErrKeysUnavailable, message: "kms.example"},
		"cut": {uri: uri, change: broken(&net.OpError{
			Op: "read", Source: from, Addr: from,
			Err: syscall.ECONNRESET,
		}), want: ports.ErrKeysUnavailable, message: "read: connection reset by peer"},
		"not trusted": {
			uri: uri, change: broken(x509.UnknownAuthorityError{}), want: ports.ErrKeysUnavailable,
			message: "certificate",
		},
		"no code": {
			uri: uri, change: failing("Hello, I am "+key, 400), want: ports.ErrKeyRefused,
			message: "it gives no code", requests: 1,
		},
		"no credentials": {
			uri: uri, change: func(_ *awsdouble.KMS, k *awskms.Keys) { k.Config.Credentials = none{} },
			want: ports.ErrKeysUnavailable, message: "no credentials",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			k := keysOf(d)
			if tc.change != nil {
				tc.change(d, &k)
			}
			defer func() { d.Response = nil }()
			d.Requests.Store(0)
			got, err := k.Passphrase(t.Context(), indirect.PassphraseRef{
				Provider: awskms.Name, URI: tc.uri,
				Machine: "default/m/1",
			})
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.message) || !got.IsZero() {
				t.Errorf("%d bytes, %v: %s", got.Len(), err, tc.reason)
			}
			if n := d.Requests.Load(); n != tc.requests {
				t.Errorf("%d requests, want %d", n, tc.requests)
			}
			for _, word := range []string{
				"as the test wants it", "not authorized", "the signature is", "there is no role",
				"RequestID", "1111", "4444", "127.0.0.1",
			} {
				if name != "no ARN" && strings.Contains(err.Error(), word) {
					t.Errorf("the error repeats %q: %v", word, err)
				}
			}
			if _, again := k.Passphrase(t.Context(), indirect.PassphraseRef{
				Provider: awskms.Name, URI: tc.uri,
				Machine: "default/m/1",
			}); again.Error() != err.Error() {
				t.Errorf("the next attempt has another error: %v, and then %v", err, again)
			}
		})
	}
}

// TestPassphrasesAreBoundToTheMachine holds that the service unwraps a passphrase for the machine that it was made for
// and for no other, and that a policy sees which machine that is.
func TestPassphrasesAreBoundToTheMachine(t *testing.T) {
	d := awsdouble.New(t, key)
	k := keysOf(d)
	const ours = "default/worker-0/6f1c9b52-97c4-4c1c-8f8e-bb7f2c2c2c11"
	_, uri, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key}, ours)
	if err != nil {
		t.Fatal(err)
	}
	for machine, fine := range map[string]bool{ours: true, ours + "2": false, "default/worker-0": false, "": false} {
		got, err := k.Passphrase(t.Context(), indirect.PassphraseRef{URI: uri, Machine: machine})
		if (err == nil) != fine || got.IsZero() == fine || !fine && !errors.Is(err, ports.ErrKeyRefused) {
			t.Errorf("%q: %d bytes, %v", machine, got.Len(), err)
		}
	}
	if _, _, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key}, ""); !errors.Is(err, ports.ErrKeyRefused) {
		t.Errorf("for no machine: %v", err)
	}
	d.Context = map[string]string{"machineadm.io/machine": ours}
	for machine, fine := range map[string]bool{ours: true, "default/worker-1/other": false} {
		if _, _, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key}, machine); (err == nil) != fine {
			t.Errorf("a policy for one machine, and %q: %v", machine, err)
		}
	}
}

func static(id, secret string) aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(id, secret, "")
}

func failing(exception string, status int) func(*awsdouble.KMS, *awskms.Keys) {
	return func(d *awsdouble.KMS, _ *awskms.Keys) {
		d.Response = func() (string, int) { return exception, status }
	}
}

// line is a network on which each request ends in an error.
type line struct{ err error }

func (l line) Do(r *http.Request) (*http.Response, error) {
	return nil, &url.Error{Op: r.Method, URL: r.URL.String(), Err: l.err}
}

func broken(err error) func(*awsdouble.KMS, *awskms.Keys) {
	return func(_ *awsdouble.KMS, k *awskms.Keys) { k.Config.HTTPClient = line{err} }
}

type none struct{}

func (none) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{}, errors.New("there is no role")
}

// TestRegionIsNotAHost checks that a configuration's region is always one label of the service's host.
func TestRegionIsNotAHost(t *testing.T) {
	for region, fine := range map[string]bool{
		"us-west-2": true, "cn-north-1": true, "": false, "s3": false, "evil.example/": false, "evil.example#": false,
		"a@evil.example": false, "us-west-2.evil": false,
		"US-WEST-2": false, "us west": false, "us-west-2\n": false, "%65": false, "é": false,
	} {
		got, err := awskms.Region("arn:aws:kms:" + region + ":111122223333:key/a")
		if (err == nil) != fine || fine && got != region || !fine && !errors.Is(err, ports.ErrKeyRefused) {
			t.Errorf("%q: %q, %v", region, got, err)
		}
	}
}

func TestSlowService(t *testing.T) {
	d := awsdouble.New(t, key)
	requested, end := make(chan struct{}, 4), make(chan struct{})
	d.Response = func() (string, int) {
		requested <- struct{}{}
		<-end
		return "KMSInternalException", http.StatusInternalServerError
	}
	k := keysOf(d)
	k.Timeout = 200 * time.Millisecond
	_, _, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key}, "default/m/1")
	close(end)
	if !errors.Is(err, ports.ErrKeysUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	<-requested
}

// TestAliasIsRefused holds that nothing is encrypted with an alias. Its key can change before a machine boots.
func TestAliasIsRefused(t *testing.T) {
	alias := "arn:aws:kms:us-west-2:111122223333:alias/mine"
	d := awsdouble.New(t, alias)
	_, _, err := keysOf(d).NewPassphrase(t.Context(), indirect.KeyName{Key: alias}, "default/m/1")
	if !errors.Is(err, ports.ErrKeyRefused) || !strings.Contains(err.Error(), "use the ARN of the key") ||
		d.Requests.Load() != 0 {
		t.Errorf("%d requests, %v", d.Requests.Load(), err)
	}
}
