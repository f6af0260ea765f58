// Package endpoint is the controller's HTTPS server for machines. It serves the agent and stored configuration, and
// receives reports.
//
// Machines and attackers can reach its address. So requests are small and bounded, the resources of clients are limited
// by source, and reports are write-only. A client without a credential cannot enumerate machines. All replicas of the
// controller serve, with or without the leader lease.
package endpoint
