package s3

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/secret"
)

func TestOptions(t *testing.T) {
	token := func(o *Options) { o.Keys.SessionToken = secret.FromString("canary7q9zk2xw5v") }
	own := func(o *Options) { o.Keys = nil }
	virtual := func(o *Options) { o.PathStyle = false }
	cases := map[string]struct {
		reason, endpoint string
		list             []string
		change           func(*Options)
		want             string
	}{
		"AWS": {reason: "no endpoint is AWS's", list: []string{"aws"}},
		"AWS with a region": {
			reason: "so it is", list: []string{"aws"}, change: func(o *Options) { o.Region = "cn-north-1" },
		},
		"AWS by name": {
			reason: "an administrator may name one alone", list: []string{"s3.eu-west-1.amazonaws.com"},
			change: func(o *Options) { o.Region = "eu-west-1" },
		},
		"another AWS": {
			reason: "another is named", list: []string{"s3.eu-west-1.amazonaws.com"},
			want: "spec.endpoint: https://s3.us-east-1.amazonaws.com is not",
		},
		"a bucket as region": {
			reason: "s3.s3.amazonaws.com may be a bucket of anyone", list: []string{"aws"},
			change: func(o *Options) { o.Region = "s3" }, want: "spec.region",
		},
		"no list": {
			reason: "nothing is allowed", endpoint: "https://s3.example", want: "--storage-endpoints",
		},
		"not listed": {
			reason: "AWS alone is allowed", endpoint: "https://s3.example", list: []string{"aws"},
			want: "spec.endpoint: https://s3.example is not",
		},
		"own region": {
			reason: "other servers have other regions", endpoint: "https://s3.example",
			list: []string{"s3.example"}, change: func(o *Options) { o.Region = "garage" },
		},
		"path": {
			reason: "a service's API may be there", endpoint: "https://s3.example/v1/kv",
			list: []string{"s3.example"}, want: "a path",
		},
		"query": {
			reason: "a service may take orders there", endpoint: "https://s3.example?a",
			list: []string{"s3.example"}, want: "a query",
		},
		"no URL": {
			reason: "there is no host", endpoint: "http://:80", list: []string{"*:*"}, want: "spec.endpoint",
		},
		"token": {
			reason: "https protects it", endpoint: "https://s3.example", list: []string{"s3.example"},
			change: token,
		},
		"token in clear": {
			reason: "http does not", endpoint: "http://s3.example", list: []string{"http://s3.example"},
			change: token, want: "spec.credentials: a sessionToken",
		},
		"keys in clear": {
			reason: "the administrator listed it", endpoint: "http://s3.example",
			list: []string{"http://s3.example"},
		},
		"http is not listed": {
			reason: "https is", endpoint: "http://s3.example", list: []string{"s3.example:*"},
			want: "spec.endpoint: http://s3.example is not",
		},
		"own identity": {reason: "AWS is named", list: []string{"aws"}, change: own},
		"own in clear": {
			reason: "it has a token", endpoint: "http://s3.example", list: []string{"http://s3.example"},
			change: own, want: "spec.credentials: the controller's own",
		},
		"own to a network": {
			reason: "a tenant may have an address there", endpoint: "https://10.1.2.3",
			list: []string{"10.0.0.0/8"}, change: own, want: "spec.credentials: the controller's own",
		},
		"own to an address": {
			reason: "the administrator named it", endpoint: "https://10.1.2.3", list: []string{"10.1.2.3"},
			change: own,
		},
		"no domain": {
			reason: "web.minio may be the Service web of the namespace minio", endpoint: "https://minio",
			list: []string{"minio"}, change: virtual, want: "spec.pathStyle: minio has no domain",
		},
		"no domain but a dot": {
			reason: "the resolver adds none, but there is no such domain", endpoint: "https://minio.:443",
			list: []string{"minio"}, change: virtual, want: "spec.pathStyle: minio. has no domain",
		},
		"a domain": {
			reason: "buckets may be names below it", endpoint: "https://minio.minio.svc",
			list: []string{"minio.minio.svc"}, change: virtual,
		},
		"an address": {
			reason: "nothing precedes it", endpoint: "https://[2600::1]", list: []string{"2600::1"},
			change: virtual,
		},
		"own to a wildcard": {
			reason: "a tenant may have a name there", endpoint: "https://a.example",
			list: []string{"*.example"}, change: own, want: "spec.credentials: the controller's own",
		},
		"bucket of a place": {
			reason: "annotations are not checked by the API server", list: []string{"aws"},
			change: func(o *Options) { o.Bucket = "../v1" }, want: "spec.bucket",
		},
		"short bucket": {
			reason: "v1 is no bucket", list: []string{"aws"}, change: func(o *Options) { o.Bucket = "v1" },
			want: "spec.bucket",
		},
		"prefix of a place": {
			reason: "so is a prefix", list: []string{"aws"},
			change: func(o *Options) { o.Prefix = "a/../../v1/" }, want: "spec.prefix",
		},
		"prefix with a query": {
			reason: "so is a prefix", list: []string{"aws"}, change: func(o *Options) { o.Prefix = "a?b" },
			want: "spec.prefix",
		},
		"prefix": {
			reason: "this is one", list: []string{"aws"}, change: func(o *Options) { o.Prefix = "a/b.c/" },
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := at(t, c.endpoint, c.list...)
			if c.change != nil {
				c.change(&o)
			}
			_, err := New(t.Context(), o)
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}

// TestErrorsAreShort verifies that the places in a storage's annotation, which the API server does not validate, cannot
// fill the log.
func TestErrorsAreShort(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	for name, change := range map[string]func(*Options){
		"bucket": func(o *Options) { o.Bucket = long }, "prefix": func(o *Options) { o.Prefix = "/" + long },
		"region": func(o *Options) { o.Region = long }, "host": func(o *Options) { o.Endpoint = "https://" + long },
		"path":      func(o *Options) { o.Endpoint = "https://" + long + "/" + long },
		"scheme":    func(o *Options) { o.Endpoint = long + "://" + long },
		"port":      func(o *Options) { o.Endpoint += ":0" + long },
		"no domain": func(o *Options) { o.Endpoint, o.PathStyle = "https://"+long[:253], false },
	} {
		o := at(t, "", "aws", "*")
		change(&o)
		if _, err := New(t.Context(), o); err == nil || len(err.Error()) > 1024 {
			t.Errorf("%s: %.100v", name, err)
		}
	}
}

// TestOwnIdentityUsesItsRegion verifies that the storage's region, which a tenant chooses, does not become part of
// the host that receives the controller's token. The exception is a valid AWS region if the controller has none.
func TestOwnIdentityUsesItsRegion(t *testing.T) {
	for name, c := range map[string]struct{ own, storage, want string }{
		"own":            {"eu-west-1", "eu-central-1", "eu-west-1"},
		"own and a word": {"eu-west-1", "s3", "eu-west-1"},
		"none":           {"", "eu-central-1", "eu-central-1"},
		"a word":         {"", "s3", DefaultRegion},
		"a host":         {"", "evil.example/#", DefaultRegion},
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
				t.Setenv(file, t.TempDir()+"/none")
			}
			t.Setenv("AWS_REGION", c.own)
			t.Setenv("AWS_DEFAULT_REGION", "")
			got, err := ownConfig(t.Context(), c.storage)
			if err != nil || got.Region != c.want {
				t.Errorf("%q, %v", got.Region, err)
			}
			o := at(t, "https://s3.example", "s3.example")
			o.Keys, o.Region = nil, c.storage
			s, err := New(t.Context(), o)
			if err != nil || s.client.Options().Region != c.storage {
				t.Errorf("requests are signed for %q, %v", s.client.Options().Region, err)
			}
		})
	}
}
