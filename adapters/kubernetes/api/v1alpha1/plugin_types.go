package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// PluginReference names a resource that follows the plugin contract (docs/plugin-contract.md), in the namespace of the
// config and in no other.
type PluginReference struct {
	// apiGroup is the group of the resource's kind. Its version is the one that the API server prefers.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	APIGroup string `json:"apiGroup,omitempty"`
	// kind is the resource's kind.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$`
	Kind string `json:"kind,omitempty"`
	// name is the resource's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Name string `json:"name,omitempty"`
}

// PluginCondition tells what has become of a plugin. After the bootstrap data is published it stays as it was then;
// that of a pool is published again with each token, and is told anew.
type PluginCondition struct {
	PluginReference `json:",inline"`
	// secretReady says that the plugin's Secret is there and that its documents are used.
	// +required
	SecretReady *bool `json:"secretReady,omitempty"`
	// reason says in one word why it is or is not ready.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Reason string `json:"reason,omitempty"`
	// message says it for people.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	Message string `json:"message,omitempty"`
	// template names the template that the plugin was made from, among spec.pluginTemplateRefs; empty for one that
	// spec.pluginRefs names. It is of the same group.
	// +optional
	Template *PluginTemplate `json:"template,omitempty"`
}

// PluginTemplate is the template that a plugin was made from.
type PluginTemplate struct {
	// kind is the template's kind.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind,omitempty"`
	// name is the template's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}

// PluginStatus is the status that the plugin contract asks for. Our own kinds have no other.
type PluginStatus struct {
	// ready says that the Secret holds the documents of this generation.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// secretName names the Secret, which this resource controls, in the same namespace.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	SecretName string `json:"secretName,omitempty"`
	// conditions hold Ready, which says what is wrong.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status is about.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// failureReason is set only if the plugin can never become ready.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage says why the plugin can never become ready.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
	// beforePlugins are plugins, as kind/name, before whose documents this one's come.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=570
	BeforePlugins []string `json:"beforePlugins,omitempty"`
	// afterPlugins are plugins, as kind/name, after whose documents this one's come.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=570
	AfterPlugins []string `json:"afterPlugins,omitempty"`
}

// What the plugin contract (docs/plugin-contract.md) calls things.
const (
	// PluginDocumentsKey is the key of a plugin's Secret that holds its documents, as machine configuration.
	PluginDocumentsKey = "documents"
	// PluginsRoleLabel, with the value "true", adds the rules of a ClusterRole to what the controller may do: read and
	// watch kinds of plugins, and make those that have templates.
	PluginsRoleLabel = "bootstrap.machineadm.io/aggregate-to-plugins"
)

// Plugin is a resource of one of our own kinds of plugins.
//
// +kubebuilder:object:generate=false
type Plugin interface {
	metav1.Object
	runtime.Object
	// PluginStatus returns the status, to be read and written.
	PluginStatus() *PluginStatus
}

// Plugins returns an empty object of each of our own kinds of plugins. Each kind has a list, a template and a list of
// templates.
func Plugins() []Plugin {
	return []Plugin{
		&ContainerdConfig{}, &TimeSyncConfig{}, &SysctlConfig{}, &TrustedCAsConfig{}, &ControlPlaneConfig{},
		&HardeningConfig{},
	}
}

// PluginKind returns the name of the kind of one of our own plugins: that of its Go type, and of its document.
func PluginKind(p Plugin) string { return reflect.TypeOf(p).Elem().Name() }

// pluginLists are what goes with our own kinds of plugins.
func pluginLists() []runtime.Object {
	return []runtime.Object{
		&ContainerdConfigList{}, &ContainerdConfigTemplate{}, &ContainerdConfigTemplateList{},
		&TimeSyncConfigList{}, &TimeSyncConfigTemplate{}, &TimeSyncConfigTemplateList{},
		&SysctlConfigList{}, &SysctlConfigTemplate{}, &SysctlConfigTemplateList{},
		&TrustedCAsConfigList{}, &TrustedCAsConfigTemplate{}, &TrustedCAsConfigTemplateList{},
		&ControlPlaneConfigList{}, &ControlPlaneConfigTemplate{}, &ControlPlaneConfigTemplateList{},
		&HardeningConfigList{}, &HardeningConfigTemplate{}, &HardeningConfigTemplateList{},
	}
}
