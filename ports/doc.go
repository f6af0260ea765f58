// Package ports holds the interfaces between the use cases and the world, in the words of the domain, and the errors by
// which implementations speak. Package portstest has a conformance suite and a fake for each.
package ports
