// Package controller implements the bootstrap contract of Cluster API for MachineBootstrapConfigs. It writes the data
// Secret, the status and the conditions that result from the use case in app/bootstrap.
//
// The controller depends on watches, and polls only while a token must be extended. A worker costs three requests: its
// token, its Secret and its status.
package controller
