// Package linux applies operations to a Linux machine, or to the file tree of a machine below a directory.
//
// An operation consists of parts: a file, an account, the state of a unit. A part that is already in the desired state
// is not changed, so applying an operation twice has no further effect. A file is written under a temporary name and
// renamed. No path leaves the tree: links are resolved inside it.
package linux
