// Package pkcs11 has passphrases wrapped by a key that never leaves a token of PKCS#11, such as a hardware security
// module. It needs cgo, since the token's module is a library in C.
package pkcs11
