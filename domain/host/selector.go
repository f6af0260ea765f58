package host

import (
	"fmt"
	"slices"
	"strings"
)

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

// String returns the requirement as kubectl accepts it, such as "pool=workers" or "pool notin (a, b)".
func (r Requirement) String() string {
	switch r.Operator {
	case OperatorIn:
		if len(r.Values) == 1 {
			return r.Key + "=" + r.Values[0]
		}
		return fmt.Sprintf("%s in (%s)", r.Key, strings.Join(r.Values, ", "))
	case OperatorNotIn:
		return fmt.Sprintf("%s notin (%s)", r.Key, strings.Join(r.Values, ", "))
	case OperatorDoesNotExist:
		return "!" + r.Key
	case OperatorExists:
		return r.Key
	default:
		return fmt.Sprintf("%s %s (%s)", r.Key, r.Operator, strings.Join(r.Values, ", "))
	}
}

// Selector is a list of requirements that must all be met. The empty Selector matches every host.
type Selector []Requirement

// Matches reports whether the labels meet all requirements.
func (s Selector) Matches(labels map[string]string) bool {
	return !slices.ContainsFunc(s, func(r Requirement) bool { return !r.Matches(labels) })
}

// maxSelectorText limits the text of a selector in a message.
const maxSelectorText = 200

// String returns the requirements in a fixed order, on one line of limited length.
func (s Selector) String() string {
	parts := make([]string, len(s))
	for i, r := range s {
		parts[i] = r.String()
	}
	slices.Sort(parts)
	return Line(strings.Join(parts, ", "), maxSelectorText)
}
