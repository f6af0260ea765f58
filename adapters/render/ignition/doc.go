// Package ignition renders a plan as an Ignition configuration of specification 3.0 to 3.6.
//
// Ignition runs once, before the system starts, and rejects the whole configuration for one mistake. Features that a
// version does not support are therefore rendered differently or are error findings. The tests parse every golden with
// the parser of its version.
//
// The configuration is built with the types of the newest specification, because each version since 3.0 only adds
// fields. The table ignmodel.Specification.Abilities contains the features of each version.
package ignition
