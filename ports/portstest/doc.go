// Package portstest says what an implementation of a port has to do: one conformance suite for each.
package portstest
