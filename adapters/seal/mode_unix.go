//go:build unix

package seal

// onUnix reports whether a file's mode determines who can read it.
const onUnix = true
