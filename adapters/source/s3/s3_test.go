//go:build !unit

package s3_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/source/s3"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/s3server"
)

func TestParse(t *testing.T) {
	cases := map[string]struct {
		reason, uri string
		want        s3.Object
		fails       bool
	}{
		"proposal": {
			reason: "the proposal's own",
			uri:    "s3://us-west-2.cluster-api.contoso.com/bootstrap/test-cluster-machine-ufjdhad.yaml",
			want:   s3.Object{Bucket: "us-west-2.cluster-api.contoso.com", Key: "bootstrap/test-cluster-machine-ufjdhad.yaml"},
		},
		"options": {
			reason: "a server of one's own",
			uri:    "s3://a/b?region=eu-1&endpoint=https%3A%2F%2Fs3.example%3A9000&pathStyle=true&versionId=x",
			want: s3.Object{
				Bucket: "a", Key: "b", Region: "eu-1", Endpoint: "https://s3.example:9000", PathStyle: true,
				VersionID: "x",
			},
		},
		"escaped": {
			reason: "a key can contain any byte", uri: "s3://a/b%20c%3Fd",
			want: s3.Object{Bucket: "a", Key: "b c?d"},
		},
		"no key":    {reason: "a bucket is no object", uri: "s3://a", fails: true},
		"empty key": {reason: "nor is its root", uri: "s3://a/", fails: true},
		"no bucket": {reason: "an object is in one", uri: "s3:///a", fails: true},
		"user":      {reason: "a URI contains no credentials", uri: "s3://me:canary7q9zk2xw5v@a/b", fails: true},
		"scheme":    {reason: "another's", uri: "https://a/b", fails: true},
		"option":    {reason: "nothing is passed over", uri: "s3://a/b?X-Amz-Signature=canary7q9zk2xw5v", fails: true},
		"percent":   {reason: "half an escape", uri: "s3://a/b%2", fails: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := s3.Parse(tc.uri)
			if diff := cmp.Diff(tc.want, got); diff != "" || (err != nil) != tc.fails {
				t.Errorf("%s: %v %s", tc.reason, err, diff)
			}
			if err != nil && (!errors.Is(err, s3.ErrURI) || strings.Contains(err.Error(), "canary")) {
				t.Errorf("the error %v", err)
			}
		})
	}
}

func TestReadSettings(t *testing.T) {
	got := s3.ReadSettings("# keys\nAWS_ACCESS_KEY_ID=\"a\"\nexport " +
		"AWS_SECRET_ACCESS_KEY='b=='\nAWS_SESSION_TOKEN=c\nAWS_REGION=d\nAWS_ENDPOINT_URL=e\nAWS_S3_PATH_STYLE=true\nOTHER=" +
		"f\n\n")
	want := s3.Settings{
		AccessKeyID: "a", SecretAccessKey: "b==", SessionToken: "c", Region: "d", Endpoint: "e",
		PathStyle: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFetchFromARealServer(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	for name, data := range map[string]string{"config": "ours", "large": strings.Repeat("a", 9<<20)} {
		if err := os.WriteFile(filepath.Join(server.Dir, "machines", name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason string
		change func(*s3.Settings, *indirect.RemoteConfig)
		want   string
		is     error
	}{
		"there": {reason: "with the machine's credentials", want: "ours"},
		"wrong key": {reason: "another's", change: func(s *s3.Settings,
			_ *indirect.RemoteConfig,
		) {
			s.SecretAccessKey = "wrong"
		}, is: s3.ErrDenied},
		"unknown": {reason: "the server does not know it", change: func(s *s3.Settings,
			_ *indirect.RemoteConfig,
		) {
			s.AccessKeyID = "unknown"
		}, is: s3.ErrDenied},
		"gone": {reason: "it was deleted", change: func(_ *s3.Settings,
			c *indirect.RemoteConfig,
		) {
			c.URI = "s3://machines/other"
		}, is: s3.ErrNotFound},
		"large": {
			reason: "it would fill the machine",
			change: func(_ *s3.Settings, c *indirect.RemoteConfig) { c.URI = "s3://machines/large" }, is: s3.ErrTooLarge,
		},
		"no trust": {
			reason: "a private CA", change: func(_ *s3.Settings, c *indirect.RemoteConfig) { c.CABundle = "" },
			is: s3.ErrUnreachable,
		},
		"no server": {reason: "no server listens", change: func(s *s3.Settings,
			_ *indirect.RemoteConfig,
		) {
			s.Endpoint = "https://127.0.0.1:1"
		}, is: s3.ErrUnreachable},
		"provider": {
			reason: "another's", change: func(_ *s3.Settings, c *indirect.RemoteConfig) { c.Provider = "https" },
			is: ports.ErrNoProvider,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			settings := s3.Settings{
				AccessKeyID: s3server.AccessKeyID, SecretAccessKey: s3server.SecretAccessKey, Endpoint: server.Endpoint,
				PathStyle: true,
			}
			c := indirect.RemoteConfig{Provider: "s3", URI: "s3://machines/config", CABundle: string(server.CA)}
			if tc.change != nil {
				tc.change(&settings, &c)
			}
			data, err := s3.Source{Settings: settings, Limit: time.Minute}.Fetch(t.Context(), c)
			if string(data) != tc.want || !errors.Is(err, tc.is) {
				t.Errorf("%s: %d bytes, %v", tc.reason, len(data), err)
			}
			if err != nil && strings.Contains(err.Error(), s3server.SecretAccessKey) {
				t.Errorf("shown: %v", err)
			}
		})
	}
}
