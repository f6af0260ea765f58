package ports

import "io"

// Key names an object in its namespace.
type Key struct{ Namespace, Name string }

// String returns namespace/name.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Owner identifies the object that bootstrap data is created for.
type Owner struct {
	Key
	// UID distinguishes the object from earlier ones with the same name.
	UID string
}

// Entropy is a source of random bytes for keys.
type Entropy io.Reader
