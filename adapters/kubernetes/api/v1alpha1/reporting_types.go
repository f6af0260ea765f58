package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ReportingSpec asks the machine to report how its bootstrap goes, and the controller to notice if it does not.
//
// +kubebuilder:validation:XValidation:rule="!has(self.certificateAuthorities) || has(self.url)",message="certificateAuthorities vouch for the url, and there is none"
type ReportingSpec struct {
	// url is the beginning of the endpoint's addresses, as the machine reaches it. Without it, it is what the controller
	// was told.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^https://[A-Za-z0-9._~:/\[\]-]+$`
	URL string `json:"url,omitempty"`
	// certificateAuthorities holds the certificates, in PEM, that vouch for the endpoint of the url. Without it the
	// machine's own do, or without a url what the controller was told.
	// +optional
	// +kubebuilder:validation:MaxLength=65536
	CertificateAuthorities string `json:"certificateAuthorities,omitempty"`
	// deadlineSeconds is how long the machine has to join or to report, from the moment its bootstrap data is published.
	// Without it, it is 20 minutes; 0 is for ever.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	DeadlineSeconds *int32 `json:"deadlineSeconds,omitempty"`
}

// BootstrapStatus is the last report of the machine. The conditions state what follows from it. Its fields are those of
// the agent's status file, with numbers in place of the list of steps.
type BootstrapStatus struct {
	// state is Running, Prepared, Succeeded or Failed.
	// +required
	// +kubebuilder:validation:Enum=Running;Prepared;Succeeded;Failed
	State string `json:"state,omitempty"`
	// version is that of the agent; empty if the machine has none.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`
	// started is when the bootstrap began, by the machine's clock.
	// +optional
	Started *metav1.Time `json:"started,omitempty"`
	// ended is when the bootstrap ended, by the machine's clock.
	// +optional
	Ended *metav1.Time `json:"ended,omitempty"`
	// reportTime is when the report arrived.
	// +required
	ReportTime metav1.Time `json:"reportTime,omitempty,omitzero"`
	// stepsTotal is the number of steps.
	// +optional
	// +kubebuilder:validation:Minimum=0
	StepsTotal int32 `json:"stepsTotal,omitempty"`
	// stepsDone is the number of steps that have ended.
	// +optional
	// +kubebuilder:validation:Minimum=0
	StepsDone int32 `json:"stepsDone,omitempty"`
	// phase is that of the first step that has not ended.
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
	// exitCode is that of the command that failed.
	// +optional
	ExitCode int32 `json:"exitCode,omitempty"`
	// cause is one line.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Cause string `json:"cause,omitempty"`
	// log is the end of the output, without known secrets.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Log string `json:"log,omitempty"`
}
