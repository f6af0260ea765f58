// Package reports receives the bootstrap reports of machines, and derives the condition BootstrapSucceeded from them.
package reports
