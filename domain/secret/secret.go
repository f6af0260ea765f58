// Package secret holds values that must not be seen by accident.
//
// A Value prints, formats, logs and marshals as "[redacted]". Its bytes leave it only through Reveal, so that every
// place where a secret turns into clear text can be found by searching for that one name.
package secret

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
)

// Redacted is what every textual form of a Value shows.
const Redacted = "[redacted]"

// Value is an immutable byte string that is secret. The zero Value is empty.
type Value struct{ held *held }

// held is behind a pointer: package fmt calls no methods for %p and prints the fields of a value, but follows no
// pointer in them.
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

// Equal reports whether both contain the same bytes. It is for tests and comparisons of configuration, not for checking
// passwords: its time depends on the values.
func (v Value) Equal(other Value) bool { return bytes.Equal(v.Reveal(), other.Reveal()) }

// String returns Redacted, or nothing for an empty value.
func (v Value) String() string {
	if v.IsZero() {
		return ""
	}
	return Redacted
}

// Format keeps every verb of package fmt, %#v and %x among them, from printing the bytes.
func (v Value) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, v.String()) }

// MarshalText keeps encoders from writing the bytes.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// LogValue keeps structured loggers from writing the bytes.
func (v Value) LogValue() slog.Value { return slog.StringValue(v.String()) }
