// Package secret contains a type for values that must not be printed by accident.
//
// A Value prints, formats, logs and marshals as "[redacted]". Only Reveal returns its bytes, so that a search for that
// name finds every use of a secret in clear text.
package secret

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
)

// Redacted is the textual form of every Value that is not empty.
const Redacted = "[redacted]"

// Value is an immutable byte string that is secret. The zero Value is empty.
type Value struct{ held *held }

// Value holds a pointer, because package fmt prints the fields of a value for %p without calling its methods, but does
// not follow pointers.
type held struct{ bytes []byte }

// New returns a Value that holds a copy of b.
func New(b []byte) Value { return own(bytes.Clone(b)) }

// FromString returns a Value that holds s.
func FromString(s string) Value { return own([]byte(s)) }

func own(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	return Value{held: &held{bytes: b}}
}

// Reveal returns the clear bytes. The caller must not modify them.
func (v Value) Reveal() []byte {
	if v.held == nil {
		return nil
	}
	return v.held.bytes
}

// Len returns the number of clear bytes.
func (v Value) Len() int { return len(v.Reveal()) }

// IsZero reports whether the value is empty.
func (v Value) IsZero() bool { return v.held == nil }

// Equal reports whether both contain the same bytes. Do not check passwords with it: it does not run in constant time.
func (v Value) Equal(other Value) bool { return bytes.Equal(v.Reveal(), other.Reveal()) }

// String returns Redacted, or nothing for an empty value.
func (v Value) String() string {
	if v.IsZero() {
		return ""
	}
	return Redacted
}

// Format keeps all verbs of package fmt, including %#v and %x, from printing the bytes.
func (v Value) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, v.String()) }

// MarshalText keeps encoders from writing the bytes.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// LogValue keeps structured loggers from writing the bytes.
func (v Value) LogValue() slog.Value { return slog.StringValue(v.String()) }
