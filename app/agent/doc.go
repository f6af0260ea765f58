// Package agent applies a machine configuration to the machine on which it runs. It resolves documents that refer to
// others, plans with the same rules as the controller, and makes the host apply each step. A journal survives power
// cuts.
package agent
