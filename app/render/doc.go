// Package render is the use case that renders a machine's documents in a format: it checks and orders them, expands
// those that the format does not support itself into actions, and calls the format's renderer.
//
// The output depends only on the job. The controller and machineadmctl use the same code.
package render
