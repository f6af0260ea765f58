package componentconfig

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/machineadm/machineadm/domain/report"
)

// quantityPattern matches the quantities of Kubernetes, and the empty text.
var quantityPattern = regexp.MustCompile(`^[+-]?[0-9]*\.?[0-9]*([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,3})?$`)

// scalar checks a value that is neither an object nor a list of the kind that the field has. A finding does not quote
// the value, which may be secret.
func (c *checker) scalar(p report.Path, f *field, value any) {
	actual := describe(value)
	if want, remedy, ok := f.accepts(value); !ok && actual != "" {
		c.errors = append(c.errors, report.Errorf(p, "%s accepts only %s here, and this is %s, so that it would not start",
			c.component, want, actual).To("%s", remedy))
	}
}

// accepts reports whether the field accepts the value, and otherwise what it accepts.
func (f *field) accepts(value any) (want, remedy string, ok bool) {
	text, isText := value.(string)
	_, isBool := value.(bool)
	n, isNumber := number(value)
	switch {
	case f.element != nil && f.isList:
		return "a list", "write the values with a dash before each", false
	case f.element != nil || f.fields != nil:
		return "a mapping", "write names and values below the field", false
	case f.kind == "bool":
		return "true or false", "write true or false without quotes", isBool
	case f.kind == "string":
		return "a string", "write the value in quotes", isText
	case f.kind == "time":
		_, err := time.Parse(time.RFC3339, text)
		return "a time", "write it as 2026-01-31T12:00:00Z", err == nil
	case f.kind == "duration" || f.kind == "period" && isText:
		_, err := time.ParseDuration(text)
		return "a duration", "write a number and a unit, such as 30s", isText && err == nil
	case f.kind == "quantity":
		return "a quantity", "write it as 500m or 1Gi", isNumber || text != "" && quantityPattern.MatchString(text)
	case f.kind == "float32" || f.kind == "float64":
		return "a number", "write a number without quotes", isNumber
	default:
		least, most := f.limits()
		return "a whole number from " + strconv.FormatInt(least, 10) + " to " + strconv.FormatInt(most, 10),
			"write such a number without quotes", isNumber && n == math.Trunc(n) && n >= float64(least) && n <= float64(most)
	}
}

// limits returns the range of a type of integers.
func (f *field) limits() (least, most int64) {
	switch f.kind {
	case "int32":
		return math.MinInt32, math.MaxInt32
	case "uint32":
		return 0, math.MaxUint32
	default:
		return math.MinInt64, math.MaxInt64
	}
}

// number returns a value as a number, and whether it is one.
func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case interface{ Float64() (float64, error) }:
		n, err := v.Float64()
		return n, err == nil
	default:
		return 0, false
	}
}

// describe returns the type of a value. It is empty for types that only decoders of YAML return.
func describe(value any) string {
	_, isNumber := number(value)
	switch value.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	if isNumber {
		return "a number"
	}
	return ""
}
