// Package oscontract is the contract for those who maintain operating systems: what a Linux system has to have so that
// machineadm can make a Kubernetes node of a machine that boots it. docs/os-contract.md is its page.
package oscontract

import (
	"slices"
	"strings"
)

// Level says how much a clause counts.
type Level string

// The levels.
const (
	// Required is what no machine can do without.
	Required Level = "Required"
	// Recommended is what most configurations want, or what a configuration has to bring instead.
	Recommended Level = "Recommended"
)

// Outcome is what was found of a clause.
type Outcome string

// The outcomes.
const (
	Met   Outcome = "Met"
	Unmet Outcome = "Unmet"
	// Unknown is what only a running machine, or only a tree that becomes an image, can tell.
	Unknown Outcome = "Unknown"
)

// Clause is one thing that the system has to have.
type Clause struct {
	// Name stays the same from release to release.
	Name  string
	Level Level
	// What says what is asked for, Why what for, and Remedy what to do if it is not there. Each is a part of a sentence on
	// one line.
	What, Why, Remedy string
}

// Result is what was found of a clause.
type Result struct {
	Clause
	Outcome Outcome
	// Message says what was found, on one line.
	Message string
}

// Thing is what stands at a path. The zero Thing is nothing.
type Thing struct {
	Exists, Directory, Regular bool
	// Executable says that somebody may start it.
	Executable bool
	// Foreign says that it does not belong to root, or that others may write it.
	Foreign bool
}

// Missing returns the results whose clause is not met and has the level. Clauses that are named are left out; case does
// not matter.
func Missing(results []Result, level Level, ignore []string) []Result {
	var missing []Result
	for _, r := range results {
		ignored := slices.ContainsFunc(ignore, func(name string) bool { return strings.EqualFold(name, r.Name) })
		if r.Outcome == Unmet && r.Level == level && !ignored {
			missing = append(missing, r)
		}
	}
	return missing
}
