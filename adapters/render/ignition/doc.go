// Package ignition renders a plan as an Ignition configuration of specification 3.0 to 3.6.
//
// Engines of the family run once, before the system starts, and refuse the whole configuration for one mistake in it.
// So features that a version lacks are rendered differently or refused here, and every golden is read by the parser of
// its own version.
//
// The configuration is built of the newest specification's types; the versions since 3.0 only add to each other. What a
// version added is in one table, ignmodel.Specification.Abilities.
package ignition
