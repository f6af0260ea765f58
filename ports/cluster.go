package ports

import "io"

// Key names an object in its namespace.
type Key struct{ Namespace, Name string }

// String returns namespace/name.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Owner names the object that asks for bootstrap data.
type Owner struct {
	Key
	// UID tells objects of one name apart.
	UID string
}

// Entropy gives random bytes, which nobody can guess.
type Entropy io.Reader
