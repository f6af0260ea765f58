//go:build linux

package main

import (
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
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

// TestPluginsAreInstalled keeps the plugins of a node.
func TestPluginsAreInstalled(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	write := func(directory, name, content string) {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bridge", "host-local", "loopback"} {
		write(from, name, "image")
	}
	write(to, "bridge", "node")
	if err := installPlugins(from, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"bridge": "node", "host-local": "image", "loopback": "image"} {
		got, err := os.ReadFile(filepath.Join(to, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is that of the %q, want %q: %v", name, got, want, err)
		}
		if info, err := os.Stat(filepath.Join(to, name)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
