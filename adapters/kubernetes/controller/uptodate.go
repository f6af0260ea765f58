package controller

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
)

// ConditionUpToDate is set after the spec of a config with published data has changed.
const ConditionUpToDate = "UpToDate"

// The reasons of ConditionUpToDate.
const (
	reasonSpecChanged = "SpecChanged"
	reasonUpToDate    = "UpToDate"
)

// sourceOf returns the digests of the fields of a spec, such as "os:01234567,machine:89abcdef". It is stored with the
// published data, to find the fields that have changed since. Four bytes of each digest are enough to notice a change.
func sourceOf(spec *v1alpha1.MachineBootstrapConfigSpec) string {
	var digests []string
	fields := reflect.ValueOf(spec).Elem()
	for i, name := range specFields() {
		if fields.Field(i).IsZero() {
			continue
		}
		// A field that cannot be encoded cannot have been read from the API server.
		text, _ := json.Marshal(fields.Field(i).Interface())
		digest := sha256.Sum256(text)
		digests = append(digests, fmt.Sprintf("%s:%x", name, digest[:4]))
	}
	return strings.Join(digests, ",")
}

// specFields returns the names of the fields of a spec.
func specFields() []string {
	t := reflect.TypeFor[v1alpha1.MachineBootstrapConfigSpec]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return names
}

// changedFields returns the paths of the fields that differ between two sources.
func changedFields(before, after string) []string {
	var paths []string
	was, is := digestsIn(before), digestsIn(after)
	for _, name := range specFields() {
		if was[name] != is[name] {
			paths = append(paths, "spec."+name)
		}
	}
	return paths
}

// digestsIn returns the digests of a source by the names of their fields.
func digestsIn(source string) map[string]string {
	digests := map[string]string{}
	for _, d := range strings.Split(source, ",") {
		name, digest, _ := strings.Cut(d, ":")
		digests[name] = digest
	}
	return digests
}

// setUpToDate reports that the published data does not contain a change of the spec. The published data describes its
// spec itself. It is compared only after a change or a move, and configs that never changed do not have the condition.
func setUpToDate(s *scope, before *v1alpha1.MachineBootstrapConfig, ready bootstrap.Ready) {
	c := s.config
	observed := before.Status.ObservedGeneration == c.Generation
	known := meta.FindStatusCondition(before.Status.Conditions, ConditionUpToDate)
	switch {
	case ready.Name == "" || ready.Summary.Source == "":
	case ready.Created:
		if before.Status.DataSecretCreated() && (!observed || known != nil && known.Status == metav1.ConditionFalse) {
			setCondition(c, ConditionUpToDate, metav1.ConditionTrue, reasonUpToDate, recreatedMessage)
		}
	case observed && !ready.Rotated && !ready.Renewed:
	default:
		changed := changedFields(ready.Summary.Source, sourceOf(&c.Spec))
		if len(changed) > 0 {
			setCondition(c, ConditionUpToDate, metav1.ConditionFalse, reasonSpecChanged, changedMessage(s, changed))
		} else if known != nil {
			setCondition(c, ConditionUpToDate, metav1.ConditionTrue, reasonUpToDate, "")
		}
	}
}

// recreatedMessage is the message for a data Secret that a user has deleted after a change of the spec.
const recreatedMessage = "the data Secret was deleted, and created again from the changed spec; a machine that " +
	"booted before does not have the change"

// changedMessage returns the message about fields that have changed since the data was published.
func changedMessage(s *scope, changed []string) string {
	fields := strings.Join(changed, ", ")
	if s.machine.Pool {
		return fields + ": changed after the bootstrap data was published, and the data could not be replaced yet; see " +
			ConditionMaintained + "; machines that boot before do not have the change"
	}
	return fields + ": changed after the bootstrap data was published; a machine reads its data once, so the published " +
		"data stays; to apply the change, change the template that the machine is created from, and replace the machine " +
		"by deleting it; to keep the machine, revert the change"
}

// announceUpToDate emits one event for each change that published data does not contain.
func (r *Reconciler) announceUpToDate(before, after *v1alpha1.MachineBootstrapConfig) {
	is := meta.FindStatusCondition(after.Status.Conditions, ConditionUpToDate)
	if is == nil || is.Message == "" || !changed(before, after, ConditionUpToDate) {
		return
	}
	kind, reason := corev1.EventTypeWarning, reasonSpecChanged
	if is.Status == metav1.ConditionTrue {
		kind, reason = corev1.EventTypeNormal, "BootstrapDataRecreated"
	}
	r.emit(after, kind, reason, "Compare", is.Message)
}
