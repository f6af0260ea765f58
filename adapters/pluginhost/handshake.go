// Package pluginhost contains the constants of the handshake between machineadm and its external plugins. Package
// proto/v1 contains the protocol itself.
package pluginhost

import goplugin "github.com/hashicorp/go-plugin"

// ProtocolVersion is the version of the protocol in proto/v1.
const ProtocolVersion = 1

// ServiceSet is the one name under which a plugin serves all its services.
const ServiceSet = "machineadm"

// Handshake returns the configuration with which a plugin detects that a user has started it by hand. It is not a
// security measure.
func Handshake() goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{
		ProtocolVersion: ProtocolVersion, MagicCookieKey: "MACHINEADM_PLUGIN",
		MagicCookieValue: "3f0d9f7c-8d52-4f0c-9a53-7a7a2b2e4a10",
	}
}

// Service names a service of the protocol in a plugin's description.
type Service string

// The services.
const (
	ServiceExpander  Service = "expander"
	ServiceSource    Service = "source"
	ServiceUnwrapper Service = "unwrapper"
	ServiceWrapper   Service = "wrapper"
	ServiceReporter  Service = "reporter"
)
