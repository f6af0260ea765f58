// Package pluginhost is the meeting point of machineadm and its external plugins: what both sides have to agree on
// before they can speak the protocol in proto/v1.
package pluginhost

import goplugin "github.com/hashicorp/go-plugin"

// ProtocolVersion is that of proto/v1.
const ProtocolVersion = 1

// ServiceSet is the one name under which a plugin serves all its services.
const ServiceSet = "machineadm"

// Handshake keeps people from starting a plugin by hand; it is no security measure.
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
