// Package render is the use case that says a machine's documents in a format: it checks and orders them, leaves to the
// format what the format says itself, expands all others into actions, and has the format's renderer say the plan.
//
// It is a pure function of its request. The controller and the terminal use the very same one.
package render
