// Package preflight describes what a machine must have before the agent changes it, and what it lacks.
package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// All is a name that matches every check.
const All = "all"

// The names of the checks. Those of ports, programs, units and directories have a suffix: Port-6443.
const (
	Root      = "Root"
	System    = "OperatingSystem"
	Swap      = "Swap"
	Clock     = "Clock"
	portName  = "Port"
	tool      = "Program"
	unitName  = "Unit"
	diskSpace = "DiskSpace"
)

// Port returns the name of the check of a TCP port.
func Port(number int) string { return fmt.Sprintf("%s-%d", portName, number) }

// Program returns the name of the check of a program.
func Program(name string) string { return tool + "-" + name }

// Unit returns the name of the check of a unit of systemd.
func Unit(name string) string { return unitName + "-" + name }

// DiskSpace returns the name of the check of a directory's free space.
func DiskSpace(dir string) string { return diskSpace + "-" + dir }

// Need is what a configuration needs of a machine. The zero Need requires only that root runs the agent on a known
// operating system.
type Need struct {
	// Programs must be in the search path.
	Programs []string
	// Units are units of systemd that must exist.
	Units []string
	// Ports are TCP ports that must be free.
	Ports []int
	// NoSwap reports whether no swap space may be in use.
	NoSwap bool
	// FreeMiB is the free space that directories must have, in mebibytes.
	FreeMiB map[string]int
}

// Lack is a requirement that a machine does not meet.
type Lack struct {
	// Name is that of the check.
	Name string
	// Message describes the problem, and Remedy how to correct it. Both are one line.
	Message, Remedy string
}

// String returns the lack on one line.
func (l Lack) String() string { return fmt.Sprintf("%s: %s; %s", l.Name, l.Message, l.Remedy) }

// Ignore divides lacks into those that count and those whose names are to be ignored. Case does not matter.
func Ignore(lacks []Lack, names []string) (counted, ignored []Lack) {
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
