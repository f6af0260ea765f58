// Package convert turns the API's objects into the domain's documents and target, and does nothing else: what the
// documents mean on a machine is not its business.
//
// Each document remembers the field that it was made of. References to Secrets and ConfigMaps are resolved through the
// caller, who says where objects are found; they never leave the namespace of the config.
package convert
