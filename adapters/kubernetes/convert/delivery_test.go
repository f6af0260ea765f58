package convert_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestDelivery(t *testing.T) {
	cases := map[string]struct {
		reason   string
		spec     *v1alpha1.DeliverySpec
		want     delivery.Options
		findings string
	}{
		"nothing": {reason: "nothing is asked for"},
		"default": {
			reason: "defaults may be written out",
			spec:   &v1alpha1.DeliverySpec{Compression: "Auto", Encoding: "None"},
		},
		"refused": {
			reason: "no compression is not the default", spec: &v1alpha1.DeliverySpec{Compression: "None"},
			want: delivery.Options{Compression: delivery.CompressionNone},
		},
		"all": {
			reason: "a script may come from an object",
			spec: &v1alpha1.DeliverySpec{
				Compression: "Gzip", Encoding: "Base64", MaxPayloadSize: "16Ki",
				Parts: []v1alpha1.DeliveryPart{
					{Name: "a", ContentType: "text/x-shellscript", Text: "#!/bin/sh\n"},
					{Name: "b", ContentType: "text/cloud-boothook", TextFrom: &v1alpha1.ContentSource{
						ConfigMap: &v1alpha1.KeyReference{Name: "o", Key: "k"},
					}},
				},
			},
			want: delivery.Options{
				Compression: delivery.CompressionGzip, Encoding: delivery.EncodingBase64, MaxBytes: 16384,
				Parts: []delivery.Part{
					{Name: "a", ContentType: delivery.ContentShellScript, Text: "#!/bin/sh\n"},
					{Name: "b", ContentType: delivery.ContentBootHook, Text: "key k of ConfigMap o"},
				},
			},
		},
		"encrypted by a service": {
			reason: "a new passphrase for each machine",
			spec: &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: &v1alpha1.DeliveryEncryption{
				Provider: "aws-kms", Key: "arn", Iterations: 50000,
			}},
			want: delivery.Options{Mode: delivery.ModeAgent, Encryption: delivery.Encryption{
				Provider: "aws-kms", Key: "arn",
				Iterations: 50000,
			}},
		},
		"encrypted by a passphrase": {
			reason: "one that is known on both sides",
			spec: &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: &v1alpha1.DeliveryEncryption{
				Provider: "file", PassphraseURI: "file:///p", PassphraseSecretRef: &v1alpha1.KeyReference{Name: "o", Key: "k"},
			}},
			want: delivery.Options{Mode: delivery.ModeAgent, Encryption: delivery.Encryption{
				Provider: "file", PassphraseURI: "file:///p", Passphrase: secret.FromString("key k of Secret o"),
			}},
		},
		"metadata": {
			reason: "for other controllers", spec: &v1alpha1.DeliverySpec{SecretMetadata: &v1alpha1.SecretMetadata{
				Labels: map[string]string{"team": "a"}, Annotations: map[string]string{"b": "c"},
			}},
			want: delivery.Options{Metadata: delivery.Metadata{
				Labels: map[string]string{"team": "a"}, Annotations: map[string]string{"b": "c"},
			}},
		},
		"in its own words": {reason: "the default mode may be written out", spec: &v1alpha1.DeliverySpec{Mode: "Native"}},
		"by an agent of the image": {
			reason: "the image has it somewhere else",
			spec: &v1alpha1.DeliverySpec{Mode: "Agent", Agent: &v1alpha1.DeliveryAgent{
				Source: "Image",
				Path:   "/opt/machineadm",
			}},
			want: delivery.Options{Mode: delivery.ModeAgent, Agent: delivery.Agent{Path: "/opt/machineadm"}},
		},
		"by an agent that is fetched": {
			reason: "from a mirror",
			spec: &v1alpha1.DeliverySpec{Mode: "Agent", Agent: &v1alpha1.DeliveryAgent{
				Source: "Fetch", Fetch: &v1alpha1.AgentFetch{URL: "https://mirror/{version}/{arch}", Version: "v1", SHA256: "a"},
			}},
			want: delivery.Options{Mode: delivery.ModeAgent, Agent: delivery.Agent{
				Fetch: &delivery.AgentFetch{URL: "https://mirror/{version}/{arch}", Version: "v1", SHA256: "a"},
			}},
		},
		"with plugins": {
			reason: "userdata vouches for them",
			spec: &v1alpha1.DeliverySpec{Mode: "Agent", Plugins: []v1alpha1.PluginPin{{
				Name:   "machineadm-timesync-plugin-ptp",
				SHA256: "a",
			}}},
			want: delivery.Options{
				Mode:    delivery.ModeAgent,
				Plugins: []delivery.PluginPin{{Name: "machineadm-timesync-plugin-ptp", SHA256: "a"}},
			},
		},
		"from nowhere": {
			reason:   "what is fetched is somewhere",
			spec:     &v1alpha1.DeliverySpec{Mode: "Agent", Agent: &v1alpha1.DeliveryAgent{Source: "Fetch"}},
			want:     delivery.Options{Mode: delivery.ModeAgent},
			findings: "error: spec.delivery.agent.fetch: fetch is for the source Fetch, which needs it; give both, or neither",
		},
		"no size": {
			reason: "a limit lets something through", spec: &v1alpha1.DeliverySpec{MaxPayloadSize: "0"},
			findings: `error: spec.delivery.maxPayloadSize: "0" is not a size; write a number of bytes, such as 16Ki`,
		},
		"exponent": {
			reason: "each of its digits would be computed",
			spec:   &v1alpha1.DeliverySpec{MaxPayloadSize: "111111111111111111111e2000000000"},
			findings: `error: spec.delivery.maxPayloadSize: "111111111111111111111e2000000000" is not a size; write a number ` +
				`of bytes, such as 16Ki`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			config := &v1alpha1.MachineBootstrapConfig{}
			config.Spec.OS.Distribution, config.Spec.Delivery = "debian", c.spec
			got, err := convert.Config(t.Context(), config, convert.Names{}, echo{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got.Delivery); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.findings, got.Findings.String()); diff != "" {
				t.Errorf("%s: findings (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
