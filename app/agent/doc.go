// Package agent applies a machine configuration to the machine it runs on: it resolves documents that refer to others,
// plans with the same rules as the controller, and has the host carry out each step, with a journal that survives a
// power cut.
package agent
