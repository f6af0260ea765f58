// Package config contains the generated definitions of the custom resources.
package config

import "embed"

// Definitions contains the custom resource definitions of the three providers, which controller-gen generates.
//
//go:embed crd/bases control-plane/crd/bases hosts/crd/bases
var Definitions embed.FS
