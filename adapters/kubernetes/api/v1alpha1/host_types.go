package v1alpha1

// HostConfigSpec is what a machine is called, and in which time zone and language it speaks.
//
// +kubebuilder:validation:XValidation:rule="!has(self.hostname) || !has(self.randomHostname) || !self.randomHostname",message="a random host name is none that is given"
type HostConfigSpec struct {
	// hostname is the machine's own name, without a domain; on Windows it has at most 15 characters. Without it the
	// platform names the machine.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`
	Hostname string `json:"hostname,omitempty"`
	// randomHostname has Windows make a name up.
	// +optional
	RandomHostname bool `json:"randomHostname,omitempty"`
	// timeZone is a name of the IANA, such as Europe/Berlin, or of Windows, such as W. Europe Standard Time.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	TimeZone string `json:"timeZone,omitempty"`
	// locale is the BCP 47 tag of formats and of the system's language, such as de-DE.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	Locale string `json:"locale,omitempty"`
	// uiLanguage is the tag of the language of menus, on Windows.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	UILanguage string `json:"uiLanguage,omitempty"`
	// keyboard is a tag, or language and layout as Windows has them, such as 0407:00000407.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16
	Keyboard string `json:"keyboard,omitempty"`
}

// DomainJoinSpec makes the machine a member of a directory's domain: with an account that may join machines, or with
// provisioning data that somebody has made for this machine. It does not make the machine a member of groups, such as
// those that may retrieve the password of a group managed service account.
//
// +kubebuilder:validation:ExactlyOneOf=passwordFrom;provisioningDataFrom
// +kubebuilder:validation:XValidation:rule="has(self.passwordFrom) == (has(self.domain) && has(self.username))",message="an account joins with domain, username and passwordFrom"
// +kubebuilder:validation:XValidation:rule="!has(self.provisioningDataFrom) || (!has(self.domain) && !has(self.username) && !has(self.organizationalUnit))",message="provisioning data names the domain and needs no account"
type DomainJoinSpec struct {
	// domain is the domain's DNS name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Domain string `json:"domain,omitempty"`
	// organizationalUnit is the distinguished name of the place of the machine's account, such as
	// OU=Nodes,DC=example,DC=com. Without it, it is the domain's default.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	OrganizationalUnit string `json:"organizationalUnit,omitempty"`
	// username is an account that may join machines: user, DOMAIN\user or user@domain.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Username string `json:"username,omitempty"`
	// passwordFrom takes the account's password from a Secret.
	// +optional
	PasswordFrom *SecretSource `json:"passwordFrom,omitempty"`
	// provisioningDataFrom takes what djoin /provision has written from a Secret.
	// +optional
	ProvisioningDataFrom *SecretSource `json:"provisioningDataFrom,omitempty"`
}
