// Package bottlerocket renders a worker as Bottlerocket's user data: settings in TOML.
//
// Bottlerocket has no shell, and no files or users that the user can configure. Its user data contains the settings of
// its API, and it joins a cluster by itself. Therefore every document is rendered natively, or is an error finding that
// names a replacement. The table in model.go contains all settings with types and sources. A machine ignores user data
// with a mistake completely, so each value is validated against the table.
//
// Source: bottlerocket.dev/en/os, API, Settings; bottlerocket-settings-sdk, bottlerocket-settings-models; the templates
// in bottlerocket-core-kit, packages.
package bottlerocket
