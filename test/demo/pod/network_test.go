//go:build linux

package main

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
)

// TestRoutes leads to the Pods of the other nodes that have a subnet and an address.
func TestRoutes(t *testing.T) {
	const nodes = `{"items": [
		{"metadata": {"name": "a"}, "spec": {"podCIDR": "10.244.0.0/24"},
		 "status": {"addresses": [{"type": "InternalIP", "address": "10.86.0.10"}]}},
		{"metadata": {"name": "b"}, "spec": {"podCIDR": "10.244.1.0/24"},
		 "status": {"addresses": [{"type": "Hostname", "address": "b"}, {"type": "InternalIP", "address": "10.86.0.11"}]}},
		{"metadata": {"name": "c"}, "spec": {"podCIDR": "10.244.2.0/24"}},
		{"metadata": {"name": "d"}, "status": {"addresses": [{"type": "InternalIP", "address": "10.86.0.13"}]}}
	]}`
	list := &nodeList{}
	if err := json.Unmarshal([]byte(nodes), list); err != nil {
		t.Fatal(err)
	}
	want := map[netip.Prefix]netip.Addr{netip.MustParsePrefix("10.244.1.0/24"): netip.MustParseAddr("10.86.0.11")}
	if got := routes(list.Items, "a"); !reflect.DeepEqual(got, want) {
		t.Errorf("the routes are %v, want %v", got, want)
	}
}
