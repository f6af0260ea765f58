// Package linux carries out operations on a Linux machine, or on the tree of one below a directory.
//
// An operation consists of parts: a file, an account, a unit's state. A part that is as it shall be is not touched, so
// that carrying out an operation again changes nothing. A file is written beside its place and moved there, and what
// names a path never leaves the tree: links are followed inside it alone.
package linux
