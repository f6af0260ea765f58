// Package ignmodeltest makes plans for the tests of the renderers that share package ignmodel.
package ignmodeltest

import (
	"maps"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Target returns a machine of the named distribution and release.
func Target(id, release string) osprofile.Target {
	profile, _ := osprofile.Lookup(id)
	return osprofile.Target{Profile: profile, Release: release, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// Of returns the plan that carries out the operations, each from its own document.
func Of(t osprofile.Target, operations ...action.Operation) plan.Plan {
	docs := make([]document.Document, len(operations))
	expansions := make([]plan.Expansion, len(operations))
	for i, op := range operations {
		docs[i] = document.Document{Value: value(op), Source: document.Source{Path: report.Path("docs").Index(i)}}
		expansions[i] = plan.Expansion{Actions: action.Of(op)}
	}
	return plan.New(t, docs, expansions)
}

// value returns a document of which the plain expansion makes the operation; kinds that have none become a command.
func value(op action.Operation) document.Value {
	switch op := op.(type) {
	case action.WriteFile:
		return op.File
	case action.EnsureGroup:
		return op.Group
	case action.EnsureUser:
		return op.User
	case action.EnsureUnit:
		return op.Unit
	case action.PartitionDisk:
		return op.Disk
	case action.MakeFilesystem:
		return op.Filesystem
	case action.MountFilesystem:
		return op.Mount
	case action.EnableSwap:
		return op.Swap
	case action.InstallPackages:
		return op.PackagesConfig
	default:
		return machine.Command{Phase: document.PhasePre, Script: "true"}
	}
}

// Text returns a file with the text.
func Text(path, text string) action.WriteFile {
	return action.WriteFile{File: machine.File{Path: path, Content: document.Text(text)}}
}

// Appended returns an addition to a file.
func Appended(path, text string) action.WriteFile {
	f := Text(path, text)
	f.Append = true
	return f
}

// Documents returns the plan of documents that need no expander of their own: files, users, units, disks, commands.
func Documents(t osprofile.Target, docs []document.Document) plan.Plan {
	ordered, _ := plan.Order(docs)
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		if op := action.Direct(d); op != nil {
			expansions[i] = plan.Expansion{Actions: action.Of(op)}
		}
	}
	return plan.New(t, ordered, expansions)
}

// Files returns the plan that writes the files, in the order of their paths.
func Files(t osprofile.Target, contents map[string]string) plan.Plan {
	var operations []action.Operation
	for _, path := range slices.Sorted(maps.Keys(contents)) {
		operations = append(operations, Text(path, contents[path]))
	}
	return Of(t, operations...)
}
