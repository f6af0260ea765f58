// Package endpoint is the controller's HTTPS server for machines. It serves the agent and stored configuration, and
// receives reports.
//
// It listens at an address that machines reach, and so does everybody else. Requests are small and bounded, what
// clients hold is limited by source, reports are write-only, and a client without a credential does not learn which
// machines exist. All replicas of the controller serve; none has to be the leader.
package endpoint
