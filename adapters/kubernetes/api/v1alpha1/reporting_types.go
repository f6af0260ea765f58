package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ReportingSpec makes the machine report the progress and the result of its bootstrap. The controller sets a condition
// if a machine neither reports nor joins before the deadline.
//
// +kubebuilder:validation:XValidation:rule="!has(self.certificateAuthorities) || has(self.url)",message="certificateAuthorities requires url"
type ReportingSpec struct {
	// url is the base URL of the controller's endpoint, as the machine reaches it. The default is the controller's flag
	// --machine-endpoint-url.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^https://[A-Za-z0-9._~:/\[\]-]+$`
	URL string `json:"url,omitempty"`
	// certificateAuthorities are the certificates, in PEM, by which the machine trusts the endpoint of url. The default
	// is the machine's trust store, or without url the controller's setting.
	// +optional
	// +kubebuilder:validation:MaxLength=65536
	CertificateAuthorities string `json:"certificateAuthorities,omitempty"`
	// deadlineSeconds is how long the machine may take to join or to report, after its bootstrap data is published. The
	// default is 1200 (20 minutes); 0 sets no deadline.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	DeadlineSeconds *int32 `json:"deadlineSeconds,omitempty"`
}

// BootstrapStatus is the machine's last report of its bootstrap. Its fields are those of the agent's status file, with
// numbers in place of the list of steps. The conditions contain the controller's conclusion.
type BootstrapStatus struct {
	// state is Running, Prepared, Succeeded or Failed.
	// +required
	// +kubebuilder:validation:Enum=Running;Prepared;Succeeded;Failed
	State string `json:"state,omitempty"`
	// version is the version of the agent, or empty if the machine has no agent.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`
	// started is the start of the bootstrap, by the machine's clock.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	Started *metav1.Time `json:"started,omitempty"`
	// ended is the end of the bootstrap, by the machine's clock.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	Ended *metav1.Time `json:"ended,omitempty"`
	// reportTime is the time at which the report arrived.
	// +required
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	ReportTime metav1.Time `json:"reportTime,omitempty,omitzero"`
	// stepsTotal is the number of steps of the bootstrap.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	StepsTotal int32 `json:"stepsTotal,omitempty"`
	// stepsDone is the number of completed steps.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	StepsDone int32 `json:"stepsDone,omitempty"`
	// phase is the phase of the first step that has not ended.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Phase string `json:"phase,omitempty"`
	// failure is the cause, if the state is Failed.
	// +optional
	Failure *BootstrapFailure `json:"failure,omitempty"`
}

// BootstrapFailure is the failure that the machine reported. Its fields are those of the agent's failure record.
type BootstrapFailure struct {
	// phase is start, disk, trust, user, file, unit, boot, pre, join or post.
	// +required
	// +kubebuilder:validation:MaxLength=64
	Phase string `json:"phase,omitempty"`
	// step is the path of the document or the field that the step comes from.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Step string `json:"step,omitempty"`
	// action describes the step.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Action string `json:"action,omitempty"`
	// exitCode is the exit code of the failed command; 0 if no command failed.
	// +optional
	// +kubebuilder:validation:Minimum=-2147483648
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ExitCode int32 `json:"exitCode,omitempty"`
	// cause describes the failure on one line.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Cause string `json:"cause,omitempty"`
	// log is the end of the output, without known secrets.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Log string `json:"log,omitempty"`
}
