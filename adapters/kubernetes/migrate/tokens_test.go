package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// TestTokensAreNotRepeated converts manifests with tokens, also in places where a token is a mistake. Neither the
// output nor the report contains one.
func TestTokensAreNotRepeated(t *testing.T) {
	const token = "abcdef.canary0123456789"
	for name, spec := range map[string]string{
		"first machine": `{initConfiguration: {bootstrapTokens: [{token: TOKEN, ttl: 1h, groups: [a]}]}}`,
		"not a list":    `{initConfiguration: {bootstrapTokens: TOKEN}}`,
		"all fields": `{initConfiguration: {bootstrapTokens: [{token: TOKEN, description: a, expires: "2030-01-01T00:00:00Z",
		  usages: [signing], x: TOKEN}, {description: b}]}}`,
		"a list of tokens": `{initConfiguration: {bootstrapTokens: [TOKEN, [TOKEN]]}}`,
		"an alias": `{initConfiguration: {bootstrapTokens: &t [{token: TOKEN}]},
		  joinConfiguration: {bootstrapTokens: *t}}`,
		"join":    `{joinConfiguration: {discovery: {bootstrapToken: {token: TOKEN, apiServerEndpoint: "a:6443"}}}}`,
		"kubelet": `{joinConfiguration: {discovery: {file: {kubeConfigPath: /etc/k}, tlsBootstrapToken: TOKEN}}}`,
		"kubeconfig": `{joinConfiguration: {discovery: {file: {kubeConfigPath: /etc/k, kubeConfig: {user: {token: TOKEN,
		  exec: {env: [{name: A, value: TOKEN}]}}}}}}}`,
		"wrong field":        `{joinConfiguration: {discovery: {token: TOKEN}}}`,
		"in place of fields": `{joinConfiguration: {discovery: TOKEN}}`,
		"both configurations": `{initConfiguration: {discovery: {bootstrapToken: {token: TOKEN}}, bootstrapTokens:
		  [{token: TOKEN}]}, joinConfiguration: {discovery: {bootstrapToken: {token: TOKEN}, tlsBootstrapToken: TOKEN}}}`,
	} {
		for kind, manifest := range map[string]string{
			"bootstrap.cluster.x-k8s.io/v1beta2, kind: KubeadmConfigTemplate": `{template: {spec: SPEC}}`,
			"bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfig":         `SPEC`,
			"controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane": `{replicas: 1, version: v1.36.3,
			  kubeadmConfigSpec: SPEC}`,
		} {
			text := strings.ReplaceAll(strings.ReplaceAll(manifest, "SPEC", spec), "TOKEN", token)
			in := fmt.Sprintf("{apiVersion: %s, metadata: {name: a}, spec: %s}\n", kind, text)
			result, err := migrate.Convert(t.Context(), []byte(in), migrate.Options{OS: migrate.ParseOS("debian:12")})
			if err != nil {
				t.Fatal(err)
			}
			all := string(result.Manifests) + fmt.Sprintf("%+v", result.Report)
			if strings.Contains(all, "canary") {
				t.Errorf("%s of %s: a token is in\n%s", name, kind, all)
			}
			if len(result.Report) < 2 || !strings.Contains(string(result.Manifests), "machineadm.io") {
				t.Errorf("%s of %s: not converted, or no line about the token: %+v", name, kind, result.Report)
			}
		}
	}
}
