// Package hosts reconciles machines and the hosts of an inventory: it reads their objects, calls the decisions of
// domain/host, and carries out one operation.
package hosts
