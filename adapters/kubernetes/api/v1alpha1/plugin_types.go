package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// PluginReference names a resource in the namespace of the config that follows the plugin contract
// (docs/plugin-contract.md).
type PluginReference struct {
	// apiGroup is the API group of the resource. The API server's preferred version is used.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	APIGroup string `json:"apiGroup,omitempty"`
	// kind is the kind of the resource.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$`
	Kind string `json:"kind,omitempty"`
	// name is the name of the resource.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Name string `json:"name,omitempty"`
}

// PluginCondition is the state of a plugin. It does not change after the bootstrap data is published. The data of a
// pool is published again with each token, and the state with it.
type PluginCondition struct {
	PluginReference `json:",inline"`
	// secretReady is true if the plugin's Secret exists and its documents are used.
	// +required
	SecretReady *bool `json:"secretReady,omitempty"`
	// reason is the machine-readable reason of the state.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Reason string `json:"reason,omitempty"`
	// message describes the state.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	Message string `json:"message,omitempty"`
	// template is the template that the plugin was created from, one of spec.pluginTemplateRefs of the same group, or
	// empty for a plugin of spec.pluginRefs.
	// +optional
	Template *PluginTemplate `json:"template,omitempty"`
}

// PluginTemplate names the template that a plugin was created from.
type PluginTemplate struct {
	// kind is the kind of the template.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind,omitempty"`
	// name is the name of the template.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}

// PluginStatus is the status that the plugin contract requires. machineadm's own kinds have no other fields.
type PluginStatus struct {
	// ready is true if the Secret contains the documents of the observed generation.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// secretName is the name of the Secret with the documents, in the same namespace. This resource controls it.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	SecretName string `json:"secretName,omitempty"`
	// conditions contains Ready, whose message describes what is invalid or missing.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:XValidation:rule="type(self.lastTransitionTime) == google.protobuf.Timestamp && (!has(self.observedGeneration) || type(self.observedGeneration) == int)",message="lastTransitionTime must be a time of RFC 3339, and observedGeneration an integer"
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status describes.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// failureReason is set only if the plugin can never become ready.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage describes why the plugin can never become ready.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
	// beforePlugins are plugins, as kind/name, whose documents come after those of this one.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=570
	BeforePlugins []string `json:"beforePlugins,omitempty"`
	// afterPlugins are plugins, as kind/name, whose documents come before those of this one.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=570
	AfterPlugins []string `json:"afterPlugins,omitempty"`
}

// The names that the plugin contract (docs/plugin-contract.md) specifies.
const (
	// PluginDocumentsKey is the key of a plugin's Secret with its documents, in the format of machine configuration.
	PluginDocumentsKey = "documents"
	// PluginsRoleLabel with the value "true" marks a ClusterRole whose rules are added to the controller's: to read and
	// watch kinds of plugins, and to create those that have templates.
	PluginsRoleLabel = "bootstrap.machineadm.io/aggregate-to-plugins"
)

// Plugin is a resource of one of machineadm's own kinds of plugins.
//
// +kubebuilder:object:generate=false
type Plugin interface {
	metav1.Object
	runtime.Object
	// PluginStatus returns a pointer to the status.
	PluginStatus() *PluginStatus
}

// Plugins returns an empty object of each of machineadm's own kinds of plugins. Each kind has a list, a template and a
// list of templates.
func Plugins() []Plugin {
	return []Plugin{
		&ContainerdConfig{}, &TimeSyncConfig{}, &SysctlConfig{}, &TrustedCAsConfig{}, &ControlPlaneConfig{},
		&HardeningConfig{},
	}
}

// PluginKind returns the name of the kind of a plugin of machineadm, which is that of its Go type and of its document.
func PluginKind(p Plugin) string { return reflect.TypeOf(p).Elem().Name() }

// pluginLists returns the lists, templates and lists of templates of machineadm's own kinds of plugins.
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
