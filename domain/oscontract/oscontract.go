// Package oscontract defines the requirements that a Linux distribution must meet so that machineadm can turn its
// machines into Kubernetes nodes. docs/os-contract.md describes them for maintainers.
package oscontract

import (
	"slices"
	"strings"
)

// Level is the importance of a clause.
type Level string

// The levels.
const (
	// Required means that no machine can join without it.
	Required Level = "Required"
	// Recommended means that most configurations need it, or have to install it themselves.
	Recommended Level = "Recommended"
)

// Outcome is the outcome of the check of a clause.
type Outcome string

// The outcomes.
const (
	Met   Outcome = "Met"
	Unmet Outcome = "Unmet"
	// Unknown means that the clause can be checked only on a running machine, or only in the tree of an image.
	Unknown Outcome = "Unknown"
)

// Clause is one requirement.
type Clause struct {
	// Name identifies the clause. It does not change between releases.
	Name  string
	Level Level
	// What describes the requirement, Why its reason, and Remedy how to meet it. Each is a phrase on one line.
	What, Why, Remedy string
}

// Result is the result of the check of a clause.
type Result struct {
	Clause
	Outcome Outcome
	// Message is the result of the check, on one line.
	Message string
}

// FileInfo describes a file or directory. The zero FileInfo means that there is none.
type FileInfo struct {
	Exists, Directory, Regular bool
	// Executable means that a user may execute it.
	Executable bool
	// Untrusted means that its owner is not root, or that other users can write it.
	Untrusted bool
}

// Missing returns the results of unmet clauses of the level. It omits the clauses whose names are in ignore, in any
// case.
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
