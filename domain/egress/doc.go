// Package egress decides which servers the controller may send requests to when a tenant chooses the address: the
// administrator lists endpoints, and every address that a name resolves to is checked before a connection is made.
package egress
