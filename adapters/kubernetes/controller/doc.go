// Package controller keeps MachineBootstrapConfigs in line with the bootstrap contract of Cluster API: a config's
// Secret, its status and its conditions follow from the use case in app/bootstrap.
//
// All it knows comes from watches; it polls only while a token has to be kept alive. A worker costs four requests: its
// token, its Secret, its status and an event.
package controller
