package bootstrap

import "github.com/machineadm/machineadm/domain/composition"

// checkPlugins returns an error if one of the machine's plugins is not ready.
func checkPlugins(c composition.Composition) error {
	held := c.Blocking()
	switch {
	case held == nil:
		return nil
	case held.State.IsTemporary():
		return WaitingError{Reason: ReasonPlugin, At: held.At, Message: c.Summary()}
	default:
		message := string(held.At) + ": " + c.Summary()
		return StalledError{Reason: pluginReason(held.State), Message: message, Findings: c.Findings()}
	}
}

// pluginReason maps the states of plugins to reasons.
func pluginReason(s composition.State) Reason {
	switch s {
	case composition.Failed:
		return ReasonPluginFailed
	case composition.NotOwned, composition.SecretNotOwned:
		return ReasonPluginNotOwned
	case composition.UnknownPlugin, composition.OrderCycle:
		return ReasonPluginOrder
	case composition.NeedsAgent:
		return ReasonPluginAgent
	case composition.NotAPlugin, composition.NotNamespaced, composition.InvalidTemplate, composition.InvalidStatus,
		composition.InvalidDocuments:
	case composition.Ready, composition.NoSuchKind, composition.NotPermitted, composition.NotFound, composition.NoTemplate,
		composition.Deleting, composition.NotReady, composition.NoSecret:
		// Plugins in these states do not stall the machine.
	}
	return ReasonPluginInvalid
}
