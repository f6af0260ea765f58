package main

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestStorageEndpointsAreLimitedByTheFlag(t *testing.T) {
	cases := map[string]struct {
		reason, endpoint string
		args             []string
		refused          bool
	}{
		"default": {
			reason: "the administrator lists servers", endpoint: "https://minio.example:9000", refused: true,
		},
		"default, private": {reason: "so it is inside the network", endpoint: "http://10.1.2.3:8500", refused: true},
		"default, AWS":     {reason: "no endpoint is AWS's"},
		"AWS's URL":        {reason: "so is this", endpoint: "https://s3.eu-central-1.amazonaws.com"},
		"AWS's machines": {
			reason: "anyone has one", endpoint: "https://ec2-192-0-43-8.compute-1.amazonaws.com", refused: true,
		},
		"near": {
			reason: "* lists no metadata service", endpoint: "http://169.254.169.254",
			args: []string{"--storage-endpoints=http://*"}, refused: true,
		},
		"listed": {
			reason: "it is", endpoint: "http://127.0.0.1:9000",
			args: []string{"--storage-endpoints=aws,http://127.0.0.1:9000"},
		},
		"in the cluster": {
			reason: "it is", endpoint: "https://minio.minio.svc:9000",
			args: []string{"--storage-endpoints=minio.minio.svc:9000"},
		},
		"not listed": {
			reason: "others are", endpoint: "https://minio.example",
			args: []string{"--storage-endpoints=s3.example"}, refused: true,
		},
		"not even AWS": {reason: "others are", args: []string{"--storage-endpoints=s3.example"}, refused: true},
		"none": {
			reason: "the list is empty", endpoint: "https://minio.example",
			args: []string{"--storage-endpoints="}, refused: true,
		},
		"not private": {
			reason: "it is not in the list", endpoint: "https://11.0.0.1",
			args: []string{"--storage-endpoints=*"},
		},
		"private": {
			reason: "it is in the flag's list", endpoint: "https://11.0.0.1",
			args: []string{"--storage-endpoints=*", "--private-networks=11.0.0.0/16"}, refused: true,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := parse(c.args)
			if err != nil {
				t.Fatal(err)
			}
			spec := v1alpha1.S3BootstrapStorageSpec{Bucket: "machines", Endpoint: c.endpoint}
			_, err = o.bucket(t.Context(), spec, storage.Keys{
				AccessKeyID: "a", SecretAccessKey: secret.FromString("b"),
			})
			if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "--storage-endpoints") {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}

func TestBadEndpoints(t *testing.T) {
	for _, arg := range []string{
		"--storage-endpoints=ftp://a", "--storage-endpoints=https://a/b", "--private-networks=11.0.0.1",
		"--private-networks=::ffff:11.0.0.0/104",
	} {
		if _, err := parse([]string{arg}); err == nil || !strings.Contains(err.Error(), strings.SplitN(arg, "=", 2)[0]) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// TestPrivateNetworksOfTheController holds that the API server and what is on the controller's links are private,
// whatever their addresses are.
func TestPrivateNetworksOfTheController(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "11.0.0.1")
	o, err := parse([]string{"--storage-endpoints=*"})
	if err != nil {
		t.Fatal(err)
	}
	own, err := net.InterfaceAddrs()
	if err != nil || len(own) == 0 {
		t.Fatalf("%v, %v", own, err)
	}
	for _, address := range append([]string{"11.0.0.1"}, netip.MustParsePrefix(own[0].String()).Addr().String()) {
		host := address
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if _, err := o.egress.Endpoint(&url.URL{Scheme: "https", Host: host}); err == nil {
			t.Errorf("%s is public", address)
		}
	}
}
