// Package componentconfig generates the tables of domain/componentconfig from the published types of Kubernetes, and
// compares them with the decoders of these types.
package componentconfig
