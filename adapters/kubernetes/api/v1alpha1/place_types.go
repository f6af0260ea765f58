package v1alpha1

// DirectorySpec is a directory to create, with its missing parents. The permissions and the owner of an existing
// directory are changed.
type DirectorySpec struct {
	// path is an absolute path, such as /opt/app, or C:\app on Windows.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	Path string `json:"path,omitempty"`
	// owner is "user" or "user:group", each a name or a number. A missing user or group is root. Parents that do not
	// exist belong to root.
	// +optional
	// +kubebuilder:validation:MaxLength=65
	Owner string `json:"owner,omitempty"`
	// permissions are octal digits such as "0750". The default is 0755.
	// +optional
	// +kubebuilder:validation:MaxLength=5
	// +kubebuilder:validation:Pattern=`^0?[0-7]{3,4}$`
	Permissions string `json:"permissions,omitempty"`
}

// LinkSpec is a symbolic link to create. It replaces an existing file or link, but not a directory.
type LinkSpec struct {
	// path is the absolute path of the link.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	Path string `json:"path,omitempty"`
	// target is the path that the link contains. A relative path is relative to the directory of the link. The target
	// need not exist.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	Target string `json:"target,omitempty"`
}
