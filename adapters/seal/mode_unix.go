//go:build unix

package seal

// onUnix says that a file's mode tells who reads it.
const onUnix = true
