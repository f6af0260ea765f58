// Package preflight defines the requirements that a machine must meet before the agent changes it, and the requirements
// that it does not meet.
package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// All is a name that matches every check.
const All = "all"

// The names of the checks. The names of checks of ports, programs, units and directories have a suffix, as in
// Port-6443.
const (
	Root        = "Root"
	System      = "OperatingSystem"
	Swap        = "Swap"
	Clock       = "Clock"
	portName    = "Port"
	programName = "Program"
	unitName    = "Unit"
	diskSpace   = "DiskSpace"
)

// Port returns the name of the check of a TCP port.
func Port(number int) string { return fmt.Sprintf("%s-%d", portName, number) }

// Program returns the name of the check of a program.
func Program(name string) string { return programName + "-" + name }

// Unit returns the name of the check of a unit of systemd.
func Unit(name string) string { return unitName + "-" + name }

// DiskSpace returns the name of the check of a directory's free space.
func DiskSpace(dir string) string { return diskSpace + "-" + dir }

// Requirements contains the requirements of a configuration. The zero Requirements requires only that root runs the
// agent on a known operating system.
type Requirements struct {
	// Programs must be in the search path.
	Programs []string
	// Units are units of systemd that must exist.
	Units []string
	// Ports are TCP ports that must be free.
	Ports []int
	// NoSwap means that no swap space may be in use.
	NoSwap bool
	// FreeMiB maps directories to the free space that they must have, in MiB.
	FreeMiB map[string]int
}

// Problem is a requirement that a machine does not meet.
type Problem struct {
	// Name is the name of the check.
	Name string
	// Message describes the problem, and Remedy how to correct it. Both are one line.
	Message, Remedy string
}

// String returns the lack on one line.
func (l Problem) String() string { return fmt.Sprintf("%s: %s; %s", l.Name, l.Message, l.Remedy) }

// Ignore divides lacks into those that apply and those whose names the user ignores, in any case.
func Ignore(lacks []Problem, names []string) (counted, ignored []Problem) {
	for _, l := range lacks {
		if slices.ContainsFunc(names, func(n string) bool {
			return strings.EqualFold(n, l.Name) || strings.EqualFold(n, All)
		}) {
			ignored = append(ignored, l)
		} else {
			counted = append(counted, l)
		}
	}
	return counted, ignored
}
