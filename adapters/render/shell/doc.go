// Package shell renders a plan as one POSIX shell script without dependencies. It is for users who log in by SSH, for
// network boot, for the first-boot unit of an image, and for every tool that can start a script.
//
// The script is an installer of the bootstrap program. It is one function that the last line calls, so a truncated
// script does nothing. It writes the program to its usual path and starts it. The program also does what a first-boot
// tool does in other formats (disks, groups, users), in the order of the plan and with the same guarantees: the first
// failure ends it and is recorded, an interrupted run is reported as a failure, and a second run changes nothing.
package shell
