// Package egress decides to which servers the controller may send requests if a tenant chooses the URL. The
// administrator lists endpoints. Before each connection, the resolved IP address is checked.
package egress
