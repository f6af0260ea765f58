// Package convert converts the API's objects to the domain's documents and target. It does not interpret the documents.
//
// Each document contains the path of its field. The caller's resolver resolves references to Secrets and ConfigMaps,
// which are always in the namespace of the config.
package convert
