package convert

import (
	"reflect"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// rule describes how the value of a field is normalised.
type rule struct {
	// ignored is the reason why the field does not change a machine.
	ignored string
	// means are the values that mean the same as no value.
	means []string
	// set means that the order of the list has no meaning.
	set bool
	// octal means that leading zeros have no meaning.
	octal bool
}

// rules returns the rules by type and field. A field without a rule counts as it is written. A missing rule costs a
// rollout when a user changes the spelling; a wrong one loses a change.
func rules() map[string]rule {
	return map[string]rule{
		"MachineBootstrapConfigSpec.StorageRef":  {ignored: "the storage is not used after the machine has booted"},
		"DeliverySpec.MaxPayloadSize":            {ignored: "a limit that the machine does not see"},
		"DeliverySpec.SecretMetadata":            {ignored: "the machine does not see the metadata of its data Secret"},
		"ReportingSpec.DeadlineSeconds":          {ignored: "a limit of the controller"},
		"ControlPlaneConfigSpec.BootstrapTokens": {ignored: "the tokens are not used after the cluster is initialized"},
		"Snippet.Strict":                         {ignored: "it changes which findings are errors, not the output"},

		"OSSpec.Architecture":             {means: []string{"amd64"}},
		"AuditSpec.LogPath":               {means: []string{"/var/log/kubernetes/audit/audit.log"}},
		"AuditSpec.MaxAgeDays":            {means: []string{"30"}},
		"AuditSpec.MaxBackups":            {means: []string{"10"}},
		"AuditSpec.MaxSizeMB":             {means: []string{"100"}},
		"LocalEtcdSpec.DataDir":           {means: []string{"/var/lib/etcd"}},
		"CertificatesSpec.Algorithm":      {means: []string{"RSA-2048"}},
		"CertificatesSpec.ValidityDays":   {means: []string{"365"}},
		"CertificatesSpec.CAValidityDays": {means: []string{"3650"}},
		"DeliverySpec.Mode":               {means: []string{"Native"}},
		"DeliverySpec.Compression":        {means: []string{"Auto"}},
		"DeliverySpec.Encoding":           {means: []string{"None"}},
		"DeliverySpec.Fetch":              {means: []string{"Verified"}},
		"DeliveryAgent.Source":            {means: []string{"Image"}},
		"AgentRelease.File":               {means: []string{"machineadm-linux-{arch}"}},
		"DeliveryEncryption.Iterations":   {means: []string{"210000"}},
		"DiskSpec.TableType":              {means: []string{"gpt"}},
		"RuntimeCommonSpec.CgroupDriver":  {means: []string{"systemd"}},
		"NodeConfigSpec.ImagePullSerial":  {means: []string{"true"}},
		"NodeConfigSpec.ImagePullPolicy":  {means: []string{"IfNotPresent"}},
		"NodeConfigSpec.BindPort":         {means: []string{"6443"}},
		"NodeConfigSpec.CertificatesDir":  {means: []string{"/etc/kubernetes/pki"}},
		"Patch.Type":                      {means: []string{"strategic"}},
		"FileSpec.Owner":                  {means: []string{"root", "root:root"}},
		"DirectorySpec.Owner":             {means: []string{"root", "root:root"}},

		"FileSpec.Permissions":                 {octal: true},
		"DirectorySpec.Permissions":            {octal: true, means: []string{"755", "0755", "00755"}},
		"APIServerSpec.CertSANs":               {set: true},
		"LocalEtcdSpec.ServerCertSANs":         {set: true},
		"LocalEtcdSpec.PeerCertSANs":           {set: true},
		"HardeningConfigSpec.Except":           {set: true},
		"NodeConfigSpec.IgnorePreflightErrors": {set: true},
		"UserSpec.Groups":                      {set: true},
	}
}

// apply returns the normalised value.
func (r rule) apply(value any) any {
	if text, ok := value.(string); ok {
		if r.octal {
			value = strings.TrimLeft(text, "0")
		}
		if slices.Contains(r.means, text) {
			return nil
		}
	}
	if list, ok := value.([]any); ok && r.set {
		slices.SortFunc(list, func(a, b any) int {
			one, _ := a.(string)
			other, _ := b.(string)
			return strings.Compare(one, other)
		})
	}
	return value
}

// isGroup reports whether an empty value of the type means the same as none: the type only groups settings.
func isGroup(t reflect.Type) bool {
	return slices.Contains([]reflect.Type{
		reflect.TypeFor[v1alpha1.MachineSpec](), reflect.TypeFor[v1alpha1.NodeConfigSpec](),
		reflect.TypeFor[v1alpha1.KubeletSpec](), reflect.TypeFor[v1alpha1.Timeouts](),
		reflect.TypeFor[v1alpha1.ControlPlaneConfigSpec](), reflect.TypeFor[v1alpha1.APIServerSpec](),
		reflect.TypeFor[v1alpha1.ComponentSpec](), reflect.TypeFor[v1alpha1.SchedulerSpec](),
		reflect.TypeFor[v1alpha1.AddonSpec](), reflect.TypeFor[v1alpha1.KubeProxySpec](),
		reflect.TypeFor[v1alpha1.EtcdSpec](), reflect.TypeFor[v1alpha1.LocalEtcdSpec](),
		reflect.TypeFor[v1alpha1.CertificatesSpec](), reflect.TypeFor[v1alpha1.DeliverySpec](),
		reflect.TypeFor[v1alpha1.DeliveryAgent](), reflect.TypeFor[v1alpha1.FormatOptionsSpec](),
	}, t)
}
