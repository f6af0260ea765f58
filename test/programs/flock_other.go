//go:build !unix

package programs

import "os"

// flock does nothing: no test process runs beside another one on these systems.
func flock(*os.File) error { return nil }
