package host

import "slices"

// Operator compares a label with values.
type Operator string

// The operators of label selectors in Kubernetes.
const (
	OperatorIn           Operator = "In"
	OperatorNotIn        Operator = "NotIn"
	OperatorExists       Operator = "Exists"
	OperatorDoesNotExist Operator = "DoesNotExist"
)

// Requirement is a condition for one label.
type Requirement struct {
	Key      string
	Operator Operator
	// Values are empty for Exists and DoesNotExist.
	Values []string
}

// Matches reports whether the labels meet the requirement. NotIn also matches labels without the key, as in
// Kubernetes. An unknown operator matches nothing.
func (r Requirement) Matches(labels map[string]string) bool {
	value, exists := labels[r.Key]
	switch r.Operator {
	case OperatorIn:
		return exists && slices.Contains(r.Values, value)
	case OperatorNotIn:
		return !exists || !slices.Contains(r.Values, value)
	case OperatorExists:
		return exists
	case OperatorDoesNotExist:
		return !exists
	default:
		return false
	}
}

// Selector is a list of requirements that must all be met. The empty Selector matches every host.
type Selector []Requirement

// Matches reports whether the labels meet all requirements.
func (s Selector) Matches(labels map[string]string) bool {
	return !slices.ContainsFunc(s, func(r Requirement) bool { return !r.Matches(labels) })
}
