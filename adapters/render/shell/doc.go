// Package shell renders a plan as one POSIX shell script without dependencies. It is for SSH sessions, network boot,
// the first-boot unit of an image, and every tool that can start a script.
//
// The script is an installer of the bootstrap program. It is one function that the last line calls, so a truncated
// script does nothing. It writes the program to its usual path and starts it. The program also creates disks, groups
// and users, as a first-boot tool does in other formats. It follows the order of the plan and gives the same
// guarantees: the first failure ends it and is recorded, an interrupted run is reported as a failure, and a second run
// changes nothing.
package shell
