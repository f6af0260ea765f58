// Package portstest contains a conformance suite for the implementations of each port.
package portstest
