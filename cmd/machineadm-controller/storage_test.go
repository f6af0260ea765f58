package main

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storing"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestStorageEndpointsAreHeldToTheFlag(t *testing.T) {
	cases := map[string]struct {
		reason, endpoint string
		args             []string
		refused          bool
	}{
		"default":   {reason: "any other machine may be asked", endpoint: "https://minio.example:9000"},
		"AWS":       {reason: "nobody names a host", args: []string{"--storage-endpoints="}},
		"near":      {reason: "nobody has said so", endpoint: "http://169.254.169.254", refused: true},
		"named":     {reason: "somebody has", endpoint: "http://127.0.0.1:9000", args: []string{"--storage-endpoints=*,127.0.0.1"}},
		"not named": {reason: "others are", endpoint: "https://minio.example", args: []string{"--storage-endpoints=s3.example"}, refused: true},
		"none":      {reason: "AWS alone is allowed", endpoint: "https://minio.example", args: []string{"--storage-endpoints="}, refused: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := parse(c.args)
			if err != nil {
				t.Fatal(err)
			}
			spec := v1alpha1.S3BootstrapStorageSpec{Bucket: "machines", Endpoint: c.endpoint}
			_, err = o.bucket(t.Context(), spec, storing.Keys{AccessKeyID: "a", SecretAccessKey: secret.FromString("b")})
			if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "--storage-endpoints") {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}
