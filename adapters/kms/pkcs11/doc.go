// Package pkcs11 wraps passphrases with a key that never leaves a PKCS#11 token, such as a hardware security module. It
// needs cgo, because the module of a token is a C library.
package pkcs11
