package convert_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// TestSecretsAreNotPublic checks the values that all users of a machine can read.
func TestSecretsAreNotPublic(t *testing.T) {
	const part = `[{fact: zone}, {textFrom: {secret: {name: s, key: k}}}]`
	for at, spec := range map[string]string{
		"spec.node.nameParts":                  `node: {nameParts: ` + part + `}`,
		"spec.node.labelParts[0].parts":        `node: {labelParts: [{key: a, parts: ` + part + `}]}`,
		"spec.node.kubelet.extraArgs[0].parts": `node: {kubelet: {extraArgs: [{name: a, parts: ` + part + `}]}}`,
		"spec.node.advertiseAddressParts":      `node: {advertiseAddressParts: ` + part + `}`,
	} {
		d, err := convert.Config(t.Context(), config(t, spec), store{"Secret/s/k": "secret"})
		if err != nil {
			t.Fatal(err)
		}
		want := "error: " + at + "[1].textFrom.secret: every user of the machine can read this value, so it must not " +
			"contain a Secret; use a ConfigMap, or a file with restricted permissions"
		if got := d.Findings.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", at, got)
		}
	}
}
