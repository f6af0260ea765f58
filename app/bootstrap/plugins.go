package bootstrap

import "github.com/machineadm/machineadm/domain/composition"

// composed says what holds the machine up among its plugins; nil if nothing does.
func composed(c composition.Composition) Outcome {
	held := c.Held()
	switch {
	case held == nil:
		return nil
	case held.State.Waits():
		return Waiting{ReasonPlugin, c.Summary()}
	default:
		return Stalled{Reason: pluginReason(held.State), Message: c.Summary(), Findings: c.Findings()}
	}
}

// pluginReason is the table from how far a plugin has come to why its machine is stalled.
func pluginReason(s composition.State) Reason {
	switch s {
	case composition.Failed:
		return ReasonPluginFailed
	case composition.NotOwned, composition.SecretNotOwned:
		return ReasonPluginForeign
	case composition.UnknownPlugin, composition.OrderCycle:
		return ReasonPluginOrder
	case composition.NeedsAgent:
		return ReasonPluginAgent
	default:
		return ReasonPluginInvalid
	}
}
