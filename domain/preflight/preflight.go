// Package preflight says what a machine has to have before anything is done to it, and what it lacks.
package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// All stands for every check where names are given.
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

// Need is what a configuration needs of a machine. The zero Need asks for nothing but that root runs it on a system
// that is known.
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

// Lack is one thing that a machine lacks.
type Lack struct {
	// Name is that of the check.
	Name string
	// Message says what is not as it shall be, Remedy what to do. Both are one line.
	Message, Remedy string
}

// String tells the lack on one line.
func (l Lack) String() string { return fmt.Sprintf("%s: %s; %s", l.Name, l.Message, l.Remedy) }

// Ignore parts lacks into those that count and those that the names say are to be ignored. Case does not matter.
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
