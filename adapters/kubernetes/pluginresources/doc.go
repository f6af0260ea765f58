// Package pluginresources implements both sides of the plugin contract (docs/plugin-contract.md).
//
// Lookup reads plugins of any kind, and creates those that a config requests by a template. It watches a kind after a
// config has named it and the controller's permissions were checked. Reconciler is the controller of machineadm's own
// kinds: it writes the documents of a resource into a Secret and sets the status.
package pluginresources
