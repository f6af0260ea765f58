package v1alpha1

// HostConfigSpec configures a machine's name, time zone and language.
//
// +kubebuilder:validation:XValidation:rule="!has(self.hostname) || !has(self.randomHostname) || !self.randomHostname",message="hostname and randomHostname exclude each other"
type HostConfigSpec struct {
	// hostname is the machine's name without a domain; on Windows it has at most 15 characters. The default is the name
	// that the platform sets.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`
	Hostname string `json:"hostname,omitempty"`
	// randomHostname makes Windows choose a random name. The default is false.
	// +optional
	RandomHostname bool `json:"randomHostname,omitempty"`
	// timeZone is an IANA name, such as Europe/Berlin, or a Windows name, such as W. Europe Standard Time. The default is
	// the image's.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	TimeZone string `json:"timeZone,omitempty"`
	// locale is the BCP 47 tag of the system's language and formats, such as de-DE. The default is the image's.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	Locale string `json:"locale,omitempty"`
	// uiLanguage is the BCP 47 tag of the language of menus on Windows. The default is the image's.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	UILanguage string `json:"uiLanguage,omitempty"`
	// keyboard is a BCP 47 tag, or a language and a layout as Windows names them, such as 0407:00000407. The default is
	// the image's.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	Keyboard string `json:"keyboard,omitempty"`
}

// DomainJoinSpec joins the machine to a directory domain, with an account that is allowed to join machines, or with
// provisioning data for this machine. It does not add the machine to groups, such as those that are allowed to retrieve
// the password of a group managed service account.
//
// +kubebuilder:validation:ExactlyOneOf=passwordFrom;provisioningDataFrom
// +kubebuilder:validation:XValidation:rule="has(self.passwordFrom) == (has(self.domain) && has(self.username))",message="set domain, username and passwordFrom, or provisioningDataFrom"
// +kubebuilder:validation:XValidation:rule="!has(self.provisioningDataFrom) || (!has(self.domain) && !has(self.username) && !has(self.organizationalUnit))",message="domain, organizationalUnit, username and passwordFrom are not allowed with provisioningDataFrom"
type DomainJoinSpec struct {
	// domain is the DNS name of the domain.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Domain string `json:"domain,omitempty"`
	// organizationalUnit is the distinguished name of the machine account's container, such as
	// OU=Nodes,DC=example,DC=com. The default is the domain's.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	OrganizationalUnit string `json:"organizationalUnit,omitempty"`
	// username is an account that is allowed to join machines: user, DOMAIN\user or user@domain.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Username string `json:"username,omitempty"`
	// passwordFrom reads the account's password from a Secret.
	// +optional
	PasswordFrom *SecretSource `json:"passwordFrom,omitempty"`
	// provisioningDataFrom reads the output of djoin /provision from a Secret.
	// +optional
	ProvisioningDataFrom *SecretSource `json:"provisioningDataFrom,omitempty"`
}
