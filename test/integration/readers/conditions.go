package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Condition is the condition of a Machine about its config, which is named BootstrapReady (contract v1beta1) or
// BootstrapConfigReady (v1beta2).
type Condition struct {
	// Mirrored reports that it is a copy of the config's condition Ready; otherwise the core created it.
	Mirrored bool
	// Status is True, False or Unknown. Severity is for contract v1beta1 only.
	Status, Severity, Reason, Message string
}

// limits of metav1.Condition; the API server holds the Machine to them, and with it what is mirrored there.
const (
	maxReason  = 1024
	maxMessage = 32768
)

var reasonPattern = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)

var statuses = []string{"True", "False", "Unknown"}

// readyV1Beta1 decodes status.conditions as a list of Cluster API's own old conditions. A core ignores the whole list
// if one field of one condition is of another type.
func readyV1Beta1(config *unstructured.Unstructured, created bool) (Condition, error) {
	var list []struct {
		Type               string      `json:"type"`
		Status             string      `json:"status"`
		Severity           string      `json:"severity"`
		LastTransitionTime metav1.Time `json:"lastTransitionTime"`
		Reason             string      `json:"reason"`
		Message            string      `json:"message"`
	}
	if value, found, err := unstructured.NestedFieldNoCopy(config.Object, "status", "conditions"); err != nil {
		return Condition{}, fmt.Errorf("read conditions: %w", err)
	} else if found {
		data, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(data, &list)
		}
		if err != nil {
			return Condition{}, fmt.Errorf("read conditions: %w", err)
		}
	}
	for _, c := range list {
		if c.Type != "Ready" {
			continue
		}
		ready := Condition{Mirrored: true, Status: c.Status, Severity: c.Severity, Reason: c.Reason, Message: c.Message}
		return ready, checkV1Beta1(ready, c.LastTransitionTime)
	}
	if created {
		return Condition{Status: "True"}, nil
	}
	return Condition{Status: "False", Severity: "Info", Reason: "WaitingForDataSecret"}, nil
}

// checkV1Beta1 holds a condition to the old type's rules: a severity is for False only.
func checkV1Beta1(c Condition, since metav1.Time) error {
	switch {
	case !slices.Contains(statuses, c.Status):
		return fmt.Errorf("condition Ready has the status %q", c.Status)
	case c.Severity != "" && c.Status != "False":
		return fmt.Errorf("condition Ready is %s and has the severity %s", c.Status, c.Severity)
	case since.IsZero():
		return errors.New("condition Ready has no lastTransitionTime")
	}
	return nil
}

// readyV1Beta2 reads conditions from status.v1beta2, where providers keep them that are on the way to the new contract,
// or else from status itself.
func readyV1Beta2(config *unstructured.Unstructured, created bool) (Condition, error) {
	var ready *Condition
	var problems []error
	for _, value := range conditionList(config) {
		fields, ok := value.(map[string]any)
		if !ok {
			problems = append(problems, fmt.Errorf("a condition is a %T", value))
			continue
		}
		c, err := checkV1Beta2(fields)
		if err != nil {
			problems = append(problems, err)
		}
		if fields["type"] == "Ready" {
			ready = &c
		}
	}
	switch {
	case len(problems) > 0:
		return Condition{}, errors.Join(problems...)
	case ready != nil:
		return *ready, nil
	case created:
		return Condition{Status: "True", Reason: "Ready"}, nil
	}
	return Condition{
		Status: "False", Reason: "NotReady", Message: config.GetKind() + " status.initialization.dataSecretCreated is false",
	}, nil
}

func conditionList(config *unstructured.Unstructured) []any {
	for _, path := range [][]string{{"status", "v1beta2", "conditions"}, {"status", "conditions"}} {
		value, found, err := unstructured.NestedFieldNoCopy(config.Object, path...)
		if !found || err != nil {
			continue
		}
		if list, ok := value.([]any); ok {
			return list
		}
		return []any{value}
	}
	return nil
}

// checkV1Beta2 reads one condition. All of them must be in order: one that is not spoils the list.
func checkV1Beta2(fields map[string]any) (Condition, error) {
	r := fieldReader{object: fields}
	c := Condition{Mirrored: true, Status: r.text("status"), Reason: r.text("reason"), Message: r.text("message")}
	name, since := r.text("type"), r.text("lastTransitionTime")
	if _, _, err := unstructured.NestedInt64(fields, "observedGeneration"); err != nil {
		r.errors = append(r.errors, err)
	}
	var at metav1.Time
	if err := at.UnmarshalQueryParameter(since); err != nil {
		r.errors = append(r.errors, err)
	}
	for problem, wrong := range map[string]bool{
		"no type": name == "", "no status": !slices.Contains(statuses, c.Status), "no time": since == "",
		"a reason that no Machine takes":  len(c.Reason) > maxReason || !reasonPattern.MatchString(c.Reason),
		"a message that no Machine takes": len(c.Message) > maxMessage,
	} {
		if wrong {
			r.fail(fmt.Sprintf("condition %q has %s", name, problem))
		}
	}
	return c, errors.Join(r.errors...)
}
