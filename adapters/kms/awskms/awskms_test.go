package awskms_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
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
	return awskms.Keys{Config: aws.Config{
		BaseEndpoint: &d.URL, Credentials: credentials.NewStaticCredentialsProvider(d.ID, d.Secret, ""), RetryMaxAttempts: 2,
	}}
}

func TestThereAndBack(t *testing.T) {
	d := awsdouble.New(t, key)
	k := keysOf(d)
	passphrase, uri, err := k.NewPassphrase(t.Context(), indirect.KeyName{Provider: awskms.Name, Key: key})
	if err != nil || passphrase.Len() != 32 || indirect.KeyOf(uri) != key {
		t.Fatalf("%d bytes, %s, %v", passphrase.Len(), uri, err)
	}
	if strings.Contains(uri, string(passphrase.Reveal())) {
		t.Error("the URI has the passphrase")
	}
	again, err := k.Passphrase(t.Context(), awskms.Name, uri)
	if err != nil || !again.Equal(passphrase) {
		t.Errorf("%d bytes, %v", again.Len(), err)
	}
	if n := d.Requests.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestRefusals(t *testing.T) {
	d := awsdouble.New(t, key)
	_, uri, err := keysOf(d).NewPassphrase(t.Context(), indirect.KeyName{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	u, err := indirect.ParseKeyURI(uri)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason, uri string
		change      func(*awsdouble.KMS, *awskms.Keys)
		want        error
		said        string
		requests    int32
	}{
		"another key":     {reason: "the role may not use it", uri: indirect.KeyURI{Wrapped: u.Wrapped, Key: foreign}.String(), want: ports.ErrKeyRefused, said: "AccessDeniedException", requests: 1},
		"spoiled":         {uri: indirect.KeyURI{Wrapped: u.Wrapped[1:], Key: key}.String(), want: ports.ErrKeyRefused, said: "InvalidCiphertextException", requests: 1},
		"another region":  {uri: indirect.KeyURI{Wrapped: u.Wrapped, Key: strings.Replace(key, "us-west-2", "eu-west-1", 1)}.String(), want: ports.ErrKeyRefused, requests: 1},
		"wrong secret":    {uri: uri, change: func(_ *awsdouble.KMS, k *awskms.Keys) { k.Config.Credentials = static("AKIDEXAMPLE", "guess") }, want: ports.ErrKeyRefused, said: "the signature is another one", requests: 1},
		"no ARN":          {uri: indirect.KeyURI{Wrapped: u.Wrapped, Key: "alias/mine"}.String(), want: ports.ErrKeyRefused, said: "is no ARN"},
		"no URI":          {uri: "s3://bucket/key", want: indirect.ErrURI},
		"failing service": {reason: "it may come back", uri: uri, change: failing("KMSInternalException", 500), want: ports.ErrKeysUnavailable, requests: 2},
		"busy service":    {uri: uri, change: failing("ThrottlingException", 400), want: ports.ErrKeysUnavailable, requests: 2},
		"busy key":        {uri: uri, change: failing("KeyUnavailableException", 500), want: ports.ErrKeysUnavailable, requests: 2},
		"disabled key":    {uri: uri, change: failing("DisabledException", 400), want: ports.ErrKeyRefused, said: "DisabledException", requests: 1},
		"nobody there":    {uri: uri, change: func(_ *awsdouble.KMS, k *awskms.Keys) { k.Config.BaseEndpoint = aws.String("http://127.0.0.1:1") }, want: ports.ErrKeysUnavailable},
		"no credentials":  {uri: uri, change: func(_ *awsdouble.KMS, k *awskms.Keys) { k.Config.Credentials = none{} }, want: ports.ErrKeysUnavailable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			k := keysOf(d)
			if tc.change != nil {
				tc.change(d, &k)
			}
			defer func() { d.Answer = nil }()
			d.Requests.Store(0)
			got, err := k.Passphrase(t.Context(), awskms.Name, tc.uri)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.said) || !got.IsZero() {
				t.Errorf("%d bytes, %v: %s", got.Len(), err, tc.reason)
			}
			if n := d.Requests.Load(); n != tc.requests {
				t.Errorf("%d requests, want %d", n, tc.requests)
			}
		})
	}
}

func static(id, secret string) aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(id, secret, "")
}

func failing(exception string, status int) func(*awsdouble.KMS, *awskms.Keys) {
	return func(d *awsdouble.KMS, _ *awskms.Keys) {
		d.Answer = func() (string, int) { return exception, status }
	}
}

type none struct{}

func (none) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{}, errors.New("there is no role")
}

func TestSlowService(t *testing.T) {
	d := awsdouble.New(t, key)
	asked, end := make(chan struct{}, 4), make(chan struct{})
	d.Answer = func() (string, int) {
		asked <- struct{}{}
		<-end
		return "KMSInternalException", http.StatusInternalServerError
	}
	k := keysOf(d)
	k.Timeout = 200 * time.Millisecond
	_, _, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key})
	close(end)
	if !errors.Is(err, ports.ErrKeysUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	<-asked
}
