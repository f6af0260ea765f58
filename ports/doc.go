// Package ports defines the interfaces through which the use cases of app/ reach storage, clusters, machines and
// plugins, and the errors that implementations return. Package portstest contains conformance suites for the
// implementations.
package ports
