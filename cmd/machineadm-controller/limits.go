package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/resource"
)

// limits are the most bytes that kinds of infrastructure objects take, by kind.
type limits map[string]int64

var _ pflag.Value = (*limits)(nil)

// Set adds one or several limits of the form KIND=QUANTITY, separated by commas.
func (l *limits) Set(text string) error {
	if *l == nil {
		*l = limits{}
	}
	for _, one := range strings.Split(text, ",") {
		kind, amount, _ := strings.Cut(one, "=")
		quantity, err := resource.ParseQuantity(amount)
		if kind == "" || err != nil || quantity.Value() <= 0 {
			return fmt.Errorf("%q is not a kind and a number of bytes, such as ExampleMachine=64Ki", one)
		}
		(*l)[kind] = quantity.Value()
	}
	return nil
}

// String returns the limits in the form of Set.
func (l *limits) String() string {
	var all []string
	for kind, bytes := range *l {
		all = append(all, fmt.Sprintf("%s=%d", kind, bytes))
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// Type returns the placeholder of the value in the help text.
func (l *limits) Type() string { return "kind=bytes" }
