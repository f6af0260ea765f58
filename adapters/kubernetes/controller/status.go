package controller

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The conditions of a config.
const (
	ConditionReady        = clusterv1.ReadyCondition
	ConditionData         = "DataSecretAvailable"
	ConditionCertificates = "CertificatesAvailable"
	ConditionPaused       = clusterv1.PausedCondition
	// ConditionStarted is set on control plane machines of clusters that an administrator has to start, such as those of
	// Talos.
	ConditionStarted = "ControlPlaneStarted"
	// ConditionMaintained is set after published data could not be maintained. Its message is the reason.
	ConditionMaintained = "DataSecretMaintained"
)

// The reasons that the use case does not define.
const (
	reasonAvailable   = "Available"
	reasonReady       = "Ready"
	reasonNotLookedUp = "NotLookedUp"
	reasonFailed      = "InternalError"
	reasonStarted     = "Started"
	reasonStartNeeded = "BootstrapCallNeeded"
	reasonMaintained  = "Maintained"
	reasonTokenLost   = "BootstrapTokenLost"
)

// failedMessage replaces the text of an internal error, which may contain confidential data.
const failedMessage = "an attempt failed and is repeated; the controller's log contains the cause"

// certificates returns the status and the reason of CertificatesAvailable for the reason why there is no data. Reasons
// of the stages before the certificates are looked up leave it unknown; reasons of later stages mean that they were
// found.
func certificates(r bootstrap.Reason) (metav1.ConditionStatus, string) {
	switch r {
	case bootstrap.ReasonCertificates, bootstrap.ReasonInvalidCertificate:
		return metav1.ConditionFalse, string(r)
	case bootstrap.ReasonUnreachable, bootstrap.ReasonSecretNotOwned, bootstrap.ReasonRemoval,
		bootstrap.ReasonTalosSecrets, bootstrap.ReasonInvalidTalosSecrets, bootstrap.ReasonTooLarge,
		bootstrap.ReasonStorage, bootstrap.ReasonStorageRefused, bootstrap.ReasonKeys, bootstrap.ReasonKeyRefused:
		return metav1.ConditionTrue, reasonAvailable
	case bootstrap.ReasonOwner, bootstrap.ReasonCluster, bootstrap.ReasonInfrastructure, bootstrap.ReasonControlPlane,
		bootstrap.ReasonInitLock, bootstrap.ReasonLockNotOwned, bootstrap.ReasonEndpoint, bootstrap.ReasonReference,
		bootstrap.ReasonInvalid, bootstrap.ReasonVersionSkew, bootstrap.ReasonControlPlaneType, bootstrap.ReasonPlugin,
		bootstrap.ReasonPluginFailed, bootstrap.ReasonPluginNotOwned, bootstrap.ReasonPluginOrder,
		bootstrap.ReasonPluginInvalid, bootstrap.ReasonPluginAgent:
	}
	return metav1.ConditionUnknown, reasonNotLookedUp
}

// setStatus writes the result of the use case into the status. Published data stays published, whatever happens later.
func setStatus(c *v1alpha1.MachineBootstrapConfig, ready bootstrap.Ready, err error, v *reports.Result) {
	c.Status.ObservedGeneration = c.Generation
	var blocked bootstrap.Blocked
	switch {
	case ready.Name != "":
		setReady(c, ready, v)
		setMaintained(c, ready, err)
	case errors.As(err, &blocked):
		setBlocked(c, blocked)
	default:
		setFailed(c, err)
	}
}

// setFailed sets the conditions after an internal error. Published data stays published, because Cluster API would
// otherwise regard the machine as failed.
func setFailed(c *v1alpha1.MachineBootstrapConfig, err error) {
	switch {
	case err == nil:
	case c.Status.DataSecretCreated():
		setCondition(c, ConditionMaintained, metav1.ConditionFalse, reasonFailed, failedMessage)
	default:
		setCondition(c, ConditionData, metav1.ConditionFalse, reasonFailed, failedMessage)
		setCondition(c, ConditionReady, metav1.ConditionFalse, reasonFailed, failedMessage)
	}
}

// setMaintained sets the condition that published data could not be maintained, and resets it after a success. It
// changes nothing while the result is unknown.
func setMaintained(c *v1alpha1.MachineBootstrapConfig, o bootstrap.Ready, err error) {
	var waiting bootstrap.WaitingError
	if errors.As(err, &waiting) && waiting.Recent {
		return
	}
	reason, message := maintenanceProblem(o, err)
	if reason != "" {
		setCondition(c, ConditionMaintained, metav1.ConditionFalse, reason, message)
	} else if meta.FindStatusCondition(c.Status.Conditions, ConditionMaintained) != nil {
		setCondition(c, ConditionMaintained, metav1.ConditionTrue, reasonMaintained, "")
	}
}

// maintenanceProblem returns why data could not be maintained; the reason is empty if there is no problem.
func maintenanceProblem(o bootstrap.Ready, err error) (reason, message string) {
	var blocked bootstrap.Blocked
	switch {
	case errors.As(err, &blocked):
		r, message := blocked.Condition()
		return string(r), message
	case o.TokenLost:
		return reasonTokenLost, "the bootstrap token is gone; a machine that has not joined yet has to be replaced"
	case err != nil:
		return reasonFailed, failedMessage
	default:
		return "", ""
	}
}

func setReady(c *v1alpha1.MachineBootstrapConfig, o bootstrap.Ready, v *reports.Result) {
	yes := true
	c.Status.Initialization.DataSecretCreated = &yes
	c.Status.Ready = true
	c.Status.DataSecretName = o.Name
	message := currentMessage(c)
	if o.Created || o.Rotated || o.Renewed {
		message = warnings(o.Findings)
	}
	if s := o.Summary; s != (ports.DataSummary{}) {
		c.Status.Payload = &v1alpha1.PayloadStatus{
			Format: string(s.Format), FormatVersion: s.FormatVersion, Bytes: s.Bytes, Envelope: s.Envelope,
			Warnings: s.Warnings,
		}
	}
	setCondition(c, ConditionCertificates, metav1.ConditionTrue, reasonAvailable, "")
	setCondition(c, ConditionData, metav1.ConditionTrue, reasonAvailable, message)
	setBootstrapped(c, v)
	setStarted(c, o.Start)
}

// setStarted sets the condition with the command that an administrator has to run, and updates it once the cluster has
// started. It does not affect Ready, since the machine's data exists.
func setStarted(c *v1alpha1.MachineBootstrapConfig, s *bootstrap.Start) {
	switch {
	case s == nil:
	case s.Done:
		setCondition(c, ConditionStarted, metav1.ConditionTrue, reasonStarted, "")
	default:
		setCondition(c, ConditionStarted, metav1.ConditionFalse, reasonStartNeeded, s.Message)
	}
}

// currentMessage returns the current message of the condition for published data.
func currentMessage(c *v1alpha1.MachineBootstrapConfig) string {
	known := meta.FindStatusCondition(c.Status.Conditions, ConditionData)
	if known == nil || known.Status != metav1.ConditionTrue {
		return ""
	}
	return known.Message
}

func setBlocked(c *v1alpha1.MachineBootstrapConfig, blocked bootstrap.Blocked) {
	r, message := blocked.Condition()
	status, reason := certificates(r)
	setCondition(c, ConditionCertificates, status, reason, "")
	setCondition(c, ConditionData, metav1.ConditionFalse, string(r), message)
	setCondition(c, ConditionReady, metav1.ConditionFalse, string(r), message)
}

// warnings formats the warnings for the author of a config in a few lines.
func warnings(findings report.Report) string {
	var lines []string
	for _, f := range findings {
		if f.Severity == report.Warning {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// setPaused writes the Paused condition and reports whether the config is paused.
func setPaused(c *v1alpha1.MachineBootstrapConfig, cluster ports.Cluster) bool {
	if !cluster.Paused && !annotations.HasPaused(c) {
		setCondition(c, ConditionPaused, metav1.ConditionFalse, clusterv1.NotPausedReason, "")
		return false
	}
	message := fmt.Sprintf("the annotation %s is set", clusterv1.PausedAnnotation)
	if cluster.Paused {
		message = "the cluster's spec.paused is set"
	}
	setCondition(c, ConditionPaused, metav1.ConditionTrue, clusterv1.PausedReason, message)
	return true
}

func setCondition(c *v1alpha1.MachineBootstrapConfig, condition string, status metav1.ConditionStatus, reason,
	message string,
) {
	meta.SetStatusCondition(&c.Status.Conditions, metav1.Condition{
		Type: condition, Status: status, Reason: reason, Message: report.Cut(message, report.MaxText),
		ObservedGeneration: c.Generation,
	})
}
