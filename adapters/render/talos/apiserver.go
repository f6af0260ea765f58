package talos

import (
	"bytes"
	"context"

	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// apiServerDir holds the API server's files for which Talos has no field. The API server is not root on Talos and files
// have no owner but root, so every user may read them; they contain no secrets.
const (
	apiServerDir       = "/var/lib/machineadm/kube-apiserver"
	authenticationFile = apiServerDir + "/authentication.yaml"
)

func (b *build) apiServer(ctx context.Context, s *v1alpha1.APIServerConfig) {
	a, at := b.controlPlane.APIServer, b.controlPlaneSource.Field("apiServer")
	c := b.component(at, a.Component, apiServerDenied())
	s.ExtraArgsConfig, s.ExtraVolumesConfig, s.EnvConfig = c.args, c.volumes, c.env
	b.audit(ctx, at.Field("audit"), s)
	b.encryption(ctx, at.Field("encryptionAtRest"))
	b.authentication(ctx, at, s)
	b.authorization(ctx, at.Field("authorization"), s)
	b.admission(ctx, at.Field("admission"), s)
}

// own adds an argument of ours, which the user must not give too.
func (b *build) own(at report.Path, s *v1alpha1.APIServerConfig, name, value string) {
	if _, given := s.ExtraArgsConfig[name]; given {
		b.find(report.Errorf(at, "the argument %s sets the same", name).To("keep one of them"))
	}
	if s.ExtraArgsConfig == nil {
		s.ExtraArgsConfig = v1alpha1.Args{}
	}
	s.ExtraArgsConfig[name] = v1alpha1.NewArgValue(value, nil)
}

func (b *build) audit(ctx context.Context, at report.Path, s *v1alpha1.APIServerConfig) {
	audit := b.controlPlane.APIServer.Audit
	if audit == nil {
		return
	}
	if tree := b.tree(ctx, at.Field("policy"), audit.Policy, "Policy"); tree != nil {
		s.AuditPolicyConfig.Object = tree
	}
	if audit.LogPath != "" && audit.LogPath != auditLog {
		b.find(report.Errorf(at.Field("logPath"), "the API server of Talos logs to %s", auditLog).To("leave it out"))
	}
	for _, limit := range []struct {
		field, argument string
		value           int
	}{
		{"maxAgeDays", "audit-log-maxage", audit.MaxAgeDays},
		{"maxBackups", "audit-log-maxbackup", audit.MaxBackups},
		{"maxSizeMB", "audit-log-maxsize", audit.MaxSizeMB},
	} {
		if limit.value != 0 {
			b.own(at.Field(limit.field), s, limit.argument, number(limit.value))
		}
	}
}

// authentication passes structured authentication by a file. A webhook's kubeconfig is secret and cannot be kept from
// others.
func (b *build) authentication(ctx context.Context, at report.Path, s *v1alpha1.APIServerConfig) {
	a := b.controlPlane.APIServer
	if !a.AuthenticationWebhook.IsZero() {
		b.find(report.Errorf(at.Field("authenticationWebhook"),
			"the API server of Talos is not root and has no place for a secret file").To("use authentication"))
	}
	if len(a.Authentication) == 0 {
		return
	}
	at = at.Field("authentication")
	tree := b.tree(ctx, at, a.Authentication, "AuthenticationConfiguration")
	if tree == nil {
		return
	}
	apiVersion, _ := tree["apiVersion"].(string)
	b.findings = append(b.findings,
		node.CheckStructured(at, apiVersion, "AuthenticationConfiguration", b.node.KubernetesVersion)...)
	if _, message := tree["anonymous"]; message {
		// siderolabs/talos issue 11324: the API server starts with the flag and the field not at all.
		b.find(report.Errorf(at, "Talos disables anonymous requests by a flag, which a file must not contradict").
			To("leave the field anonymous out"))
		return
	}
	b.own(at, s, "authentication-config", authenticationFile)
	s.ExtraVolumesConfig = append(s.ExtraVolumesConfig, v1alpha1.VolumeMountConfig{
		VolumeHostPath: apiServerDir, VolumeMountPath: apiServerDir, VolumeReadOnly: true,
	})
	b.files.list = append(b.files.list, entry{authenticationFile, document.Literal(a.Authentication), 0o644, at})
}

// authorization renders the authorizers. Talos adds Node and RBAC where they are missing.
func (b *build) authorization(ctx context.Context, at report.Path, s *v1alpha1.APIServerConfig) {
	if len(b.controlPlane.APIServer.Authorization) == 0 {
		return
	}
	tree := b.tree(ctx, at, b.controlPlane.APIServer.Authorization, "AuthorizationConfiguration")
	for i, entry := range list(tree, "authorizers") {
		p := at.Field("authorizers").Index(i)
		authorizer := v1alpha1.AuthorizationConfigAuthorizerConfig{}
		for _, key := range sorted(entry) {
			text, isText := entry[key].(string)
			webhook, isTree := entry[key].(map[string]any)
			switch {
			case key == "type" && isText:
				authorizer.AuthorizerType = text
			case key == "name" && isText:
				authorizer.AuthorizerName = text
			case key == "webhook" && isTree:
				authorizer.AuthorizerWebhook.Object = webhook
			default:
				b.find(report.Errorf(p.Field(key), "Talos does not support it").To("leave it out"))
			}
		}
		s.AuthorizationConfigConfig = append(s.AuthorizationConfigConfig, &authorizer)
	}
}

// admission renders the plug-ins' settings, which replace Talos's settings for pods.
func (b *build) admission(ctx context.Context, at report.Path, s *v1alpha1.APIServerConfig) {
	if len(b.controlPlane.APIServer.Admission) == 0 {
		return
	}
	tree := b.tree(ctx, at, b.controlPlane.APIServer.Admission, "AdmissionConfiguration")
	s.AdmissionControlConfig = nil
	for i, entry := range list(tree, "plugins") {
		p := at.Field("plugins").Index(i)
		name, _ := entry["name"].(string)
		configuration, isTree := entry["configuration"].(map[string]any)
		if name == "" || !isTree || len(entry) != 2 {
			b.find(report.Errorf(p, "an admission plug-in must have a name and a configuration").To(
				"write the configuration here, and not in a file"))
			continue
		}
		s.AdmissionControlConfig = append(s.AdmissionControlConfig, &v1alpha1.AdmissionPluginConfig{
			PluginName: name, PluginConfiguration: v1alpha1.Unstructured{Object: configuration},
		})
	}
}

// list returns the mappings of a list; one that is no mapping is empty.
func list(tree map[string]any, key string) []node.Tree {
	elements, _ := tree[key].([]any)
	out := make([]node.Tree, len(elements))
	for i, e := range elements {
		mapping, _ := e.(map[string]any)
		out[i] = mapping
	}
	return out
}

// encryption takes the one key that Talos has room for: Secrets alone, and secretbox with a key called key2 or AES-CBC
// with one called key1, because the name is a prefix of all encrypted data (siderolabs/talos: k8stemplates).
func (b *build) encryption(ctx context.Context, at report.Path) {
	given := b.controlPlane.APIServer.EncryptionAtRest
	if given.IsZero() {
		return
	}
	tree := b.tree(ctx, at, given.Reveal(), "EncryptionConfiguration")
	if tree == nil {
		return
	}
	c := b.config.ClusterConfig
	secretbox, aescbc := theKey(tree, "secretbox", "key2"), theKey(tree, "aescbc", "key1")
	switch {
	case secretbox != "":
		c.ClusterSecretboxEncryptionSecret = secretbox
	case aescbc != "":
		c.ClusterSecretboxEncryptionSecret, c.ClusterAESCBCEncryptionSecret = "", aescbc
	default:
		b.find(report.Errorf(at, "Talos encrypts only Secrets, with one key: key2 of secretbox or key1 of aescbc").
			To("leave it out: Talos has a key of its own"))
	}
}

// theKey returns the secret of the provider's only key if the configuration matches Talos's own in all else.
func theKey(tree map[string]any, provider, name string) string {
	resources := list(tree, "resources")
	if len(resources) != 1 || !only(resources[0]["resources"], "secrets") {
		return ""
	}
	providers := list(resources[0], "providers")
	if len(providers) == 0 || len(providers) > 2 {
		return ""
	}
	if len(providers) == 2 {
		if _, identity := providers[1]["identity"]; !identity {
			return ""
		}
	}
	settings, _ := providers[0][provider].(map[string]any)
	keys := list(settings, "keys")
	if len(providers[0]) != 1 || len(keys) != 1 || keys[0]["name"] != name {
		return ""
	}
	secret, _ := keys[0]["secret"].(string)
	return string(bytes.TrimSpace([]byte(secret)))
}

// only reports whether the list holds the one text.
func only(value any, text string) bool {
	elements, _ := value.([]any)
	return len(elements) == 1 && elements[0] == text
}

// apiServerDenied are arguments of which Talos refuses a second (siderolabs/talos: ControlPlaneStaticPodController),
// and the file of admission, which is Talos's own.
func apiServerDenied() []string {
	return []string{
		"etcd-servers", "client-ca-file", "requestheader-client-ca-file", "proxy-client-cert-file", "proxy-client-key-file",
		"encryption-provider-config", "etcd-cafile", "etcd-certfile", "etcd-keyfile", "kubelet-client-certificate",
		"kubelet-client-key",
		"service-account-key-file", "service-account-signing-key-file", "tls-cert-file", "tls-private-key-file",
		"authorization-config",
		"admission-control-config-file", "audit-policy-file",
	}
}
