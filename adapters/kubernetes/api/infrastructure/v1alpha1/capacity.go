package v1alpha1

import (
	"encoding/json"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Capacity is the quantity of each resource, such as cpu: "4", memory: 8Gi or nvidia.com/gpu: "1".
//
// +kubebuilder:validation:MaxProperties=64
// +kubebuilder:validation:XValidation:rule="self.all(name, size(name) <= 317)",message="names of resources have at most 317 characters"
// +kubebuilder:validation:XValidation:rule="self.all(name, type(self[name]) == string || type(self[name]) == int && self[name] >= 0)",message="quantities must not be negative"
type Capacity map[corev1.ResourceName]Quantity

// Quantity is the quantity of a resource, such as 4, 500m or 8Gi: an integer or a text in JSON.
//
// Decoding keeps the text. A resource.Quantity accepts any exponent: the controller would compute 1e-1000000000 digit
// by digit while it lists objects, and one object with a fractional exponent would prevent it from listing all others.
//
// +kubebuilder:validation:Type=""
// +kubebuilder:validation:XIntOrString
// +kubebuilder:validation:Pattern=`^[0-9]{1,40}(\.[0-9]{1,9})?([numkMGTPE]|[KMGTPE]i)?$`
type Quantity string

var quantityPattern = regexp.MustCompile(`^[0-9]{1,40}(\.[0-9]{1,9})?([numkMGTPE]|[KMGTPE]i)?$`)

// UnmarshalJSON accepts an integer or any text. ResourceList checks it.
func (q *Quantity) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(q))
	}
	if string(raw) != "null" {
		*q = Quantity(raw)
	}
	return nil
}

// NewCapacity returns the quantities in their canonical form, and nil if there are none.
func NewCapacity(list corev1.ResourceList) Capacity {
	var c Capacity
	for name, quantity := range list {
		if c == nil {
			c = Capacity{}
		}
		c[name] = Quantity(quantity.String())
	}
	return c
}

// ResourceList returns the valid quantities, and nil if there are none. Objects of earlier versions may have others.
func (c Capacity) ResourceList() corev1.ResourceList {
	var list corev1.ResourceList
	for name, text := range c {
		if !quantityPattern.MatchString(string(text)) {
			continue
		}
		quantity, err := resource.ParseQuantity(string(text))
		if err != nil {
			continue
		}
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[name] = quantity
	}
	return list
}
