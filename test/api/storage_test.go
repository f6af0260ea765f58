package api_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
)

// bucket returns a storage with the spec.
func bucket(t *testing.T, spec string) *unstructured.Unstructured {
	t.Helper()
	body := map[string]any{}
	if err := yaml.Unmarshal([]byte(spec), &body); err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{Object: map[string]any{"spec": body}}
	o.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.S3StorageKind))
	o.SetNamespace("default")
	o.SetGenerateName("bucket-")
	return o
}

// storages is what the schema of storages in buckets refuses, and what it keeps.
func storages(t *testing.T, c *controlplane.ControlPlane) {
	refused := map[string]struct{ reason, spec, want string }{
		"no bucket": {"a bucket is required", `{}`, "spec.bucket: Required value"},
		"bucket":    {"a bucket has a bucket's name", `{bucket: My_Bucket}`, "spec.bucket"},
		"prefix":    {"a prefix does not climb", `{bucket: abc, prefix: a/../b}`, "spec.prefix"},
		"absolute":  {"a prefix begins with a name", `{bucket: abc, prefix: /a}`, "spec.prefix"},
		"scheme":    {"machines speak http", `{bucket: abc, endpoint: "ftp://a"}`, "endpoint must be an http or https URL"},
		"user": {
			"no credentials in a spec", `{bucket: abc, endpoint: "https://me:secret@a"}`,
			"endpoint must be an http or https URL",
		},
		"query": {
			"the signature is the query", `{bucket: abc, endpoint: "https://a?b"}`,
			"endpoint must be an http or https URL",
		},
		"no authority": {"certificates are PEM", `{bucket: abc, certificateAuthority: abc}`, "spec.certificateAuthority"},
		"encryption": {
			"an algorithm is a word", `{bucket: abc, encryption: {algorithm: rot13}}`,
			"spec.encryption.algorithm: Unsupported value",
		},
		"key": {
			"a key is for the key service", `{bucket: abc, encryption: {algorithm: AES256, kmsKeyID: a}}`,
			"kmsKeyID requires algorithm aws:kms",
		},
		"credentials": {"credentials are somewhere", `{bucket: abc, credentials: {}}`, "spec.credentials.secretName"},
		"keys": {
			"keys are not written into specs", `{bucket: abc, credentials: {secretName: a, secretAccessKey: b}}`,
			"unknown field",
		},
		"too long": {
			"a signature lives seven days at most", `{bucket: abc, firstBootDeadlineSeconds: 604801}`,
			"less than or equal to 604800",
		},
		"too short": {
			"a machine takes its time", `{bucket: abc, firstBootDeadlineSeconds: 899}`,
			"greater than or equal to 900",
		},
		"no number": {
			"a deadline is a number", `{bucket: abc, firstBootDeadlineSeconds: 24h}`, "spec.firstBootDeadlineSeconds",
		},
	}
	for name, k := range refused {
		t.Run(name, func(t *testing.T) {
			err := c.Client.Create(t.Context(), bucket(t, k.spec), client.DryRunAll, client.FieldValidation("Strict"))
			if err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("%s: got %v, want %q", k.reason, err, k.want)
			}
		})
	}
	kept := bucket(t, `{bucket: a.b-c, prefix: x/y.z/, region: eu-1, endpoint: "https://s3.example:9000", pathStyle: true,
  certificateAuthority: "-----BEGIN CERTIFICATE-----\n", encryption: {algorithm: "aws:kms", kmsKeyID: k},
  credentials: {secretName: s}, firstBootDeadlineSeconds: 604800}`)
	want := kept.DeepCopy().Object["spec"]
	if err := c.Client.Create(t.Context(), kept, client.FieldValidation("Strict")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(t, want), text(t, kept.Object["spec"])); diff != "" {
		t.Errorf("(-sent +kept):\n%s", diff)
	}
	for deadline, want := range map[string]string{
		"604801": "less than or equal to 604800",
		"899":    "greater than or equal to 900", "900": "", "604800": "",
	} {
		endpoint := bucket(t, "{firstBootDeadlineSeconds: "+deadline+"}")
		endpoint.SetKind(v1alpha1.EndpointStorageKind)
		err := c.Client.Create(t.Context(), endpoint, client.DryRunAll, client.FieldValidation("Strict"))
		if (err == nil) != (want == "") || (err != nil && !strings.Contains(err.Error(), want)) {
			t.Errorf("an address of the endpoint for %s: %v", deadline, err)
		}
	}
}
