// Package endpoint is the controller's HTTPS server for machines: it serves the agent, and takes machines' reports.
//
// It stands at an address that machines reach, so that everybody reaches it. What it reads is small and bounded, nothing that was
// reported can be read back, and whether a machine exists is told to nobody who does not show its credential. All replicas of the
// controller serve it; none needs to be the leader.
package endpoint
