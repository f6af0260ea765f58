// Package egress decides to which servers the controller may connect if a tenant chooses the URL or the address. The
// administrator lists endpoints, and networks for hosts. Before each connection, the resolved IP address is checked.
package egress
