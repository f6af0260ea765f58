// Package shell renders a plan as one POSIX shell script that needs nothing else: for users who log in by SSH, for a
// network boot, for an image's own first-boot unit, and for every tool that can start a script.
//
// The script is an installer around the bootstrap program. It is one function that its last line calls, so that a
// script of which the end is missing does nothing. It lays the program down under its usual name and starts it; what a
// first-boot tool would do before that (disks, groups, users) the program does as well, in the plan's order and with
// the same guarantees: the first failure ends it and is recorded, an interrupted run fails loudly, and a second run
// changes nothing.
package shell
