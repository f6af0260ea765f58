// Package oscontract is the contract for those who maintain operating systems: what a Linux system has to have so that
// machineadm can make a Kubernetes node of a machine that boots it. docs/os-contract.md is its page.
package oscontract

import (
	"slices"
	"strings"
)

// Level is the importance of a clause.
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
	// Unknown means that only a running machine, or only an image's tree, shows the result.
	Unknown Outcome = "Unknown"
)

// Clause is one thing that the system has to have.
type Clause struct {
	// Name stays the same from release to release.
	Name  string
	Level Level
	// What is the requirement, Why its reason, and Remedy what to do if it is not met. Each is a part of a sentence on one
	// line.
	What, Why, Remedy string
}

// Result is what was found of a clause.
type Result struct {
	Clause
	Outcome Outcome
	// Message is the result of the check, on one line.
	Message string
}

// Thing is a file or directory at a path. The zero Thing means that there is none.
type Thing struct {
	Exists, Directory, Regular bool
	// Executable means that a user may execute it.
	Executable bool
	// Foreign means that it does not belong to root, or that others may write it.
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
