// Package bottlerocket renders a worker as Bottlerocket's user data: settings in TOML.
//
// Bottlerocket has no shell, no users and no files of the user: its user data contains the settings of its API, and
// it joins a cluster by itself. Every document is therefore rendered natively, or refused with a replacement. The
// known settings are in one table, with types and sources (model.go); a machine that finds one mistake in
// its user data takes none of it, so each value is held against the table before it is written.
//
// Source: bottlerocket.dev/en/os, API, Settings; bottlerocket-settings-sdk, bottlerocket-settings-models; the templates
// in bottlerocket-core-kit, packages.
package bottlerocket
