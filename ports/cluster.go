package ports

import "io"

// Key names an object in its namespace.
type Key struct{ Namespace, Name string }

// String returns namespace/name.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Owner names the object that asks for bootstrap data.
type Owner struct {
	Key
	// UID distinguishes objects of one name.
	UID string
}

// Entropy is a source of random bytes for keys.
type Entropy io.Reader
