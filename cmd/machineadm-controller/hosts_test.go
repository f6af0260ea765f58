package main

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// TestHostFlags refuses values with an error that names the flag.
func TestHostFlags(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	for name, c := range map[string]struct {
		args  []string
		wrong string
	}{
		"defaults":       {},
		"all":            {args: []string{"--host-networks=10.0.0.0/8,fd00::/8", "--host-agent-sha256=" + digest}},
		"empty":          {args: []string{"--host-networks=any", "--host-agent-sha256=none"}},
		"two meanings":   {args: []string{"--host-networks=any,10.0.0.0/8"}, wrong: "--host-networks"},
		"no network":     {args: []string{"--host-networks=10.0.0.1/8"}, wrong: "--host-networks"},
		"no digest":      {args: []string{"--host-agent-sha256=" + strings.ToUpper(digest)}, wrong: "--host-agent-sha256"},
		"no connections": {args: []string{"--host-connections=0"}, wrong: "--host-connections"},
		"no handshakes":  {args: []string{"--host-handshakes=0"}, wrong: "--host-handshakes"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := parse(append([]string{"--controllers=hosts"}, c.args...))
			if err != nil {
				t.Fatal(err)
			}
			drivers, err := o.hosts.drivers(t.Context())
			switch {
			case c.wrong != "":
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("the error is %v, want one about %s", err, c.wrong)
				}
			case err != nil || drivers.Hosts == nil:
				t.Errorf("there is no driver: %v", err)
			}
		})
	}
}

// TestHostManifest parses the arguments of the manifest with the defaults of its variables, and expects a variable for
// each flag that limits what tenants reach.
func TestHostManifest(t *testing.T) {
	manifest, err := os.ReadFile("../../config/hosts/manager_patch.yaml")
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`\$\{(\w+):=([^}]+)\}`)
	var args, names []string
	for line := range strings.Lines(string(manifest)) {
		argument, found := strings.CutPrefix(strings.TrimSpace(line), "- --")
		if !found {
			continue
		}
		args = append(args, "--"+variable.ReplaceAllString(argument, "$2"))
		if v := variable.FindStringSubmatch(argument); v != nil {
			names = append(names, v[1])
		}
	}
	o, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	if drivers, err := o.hosts.drivers(t.Context()); err != nil || drivers.Hosts == nil {
		t.Errorf("there is no driver with %q: %v", args, err)
	}
	for _, name := range []string{"MACHINEADM_HOSTS_NETWORKS", "MACHINEADM_HOSTS_AGENT_SHA256"} {
		if !slices.Contains(names, name) {
			t.Errorf("the manifest has no variable %s", name)
		}
	}
}

// TestConnectionsEndWithTheController calls the driver of hosts after the end of the controller.
func TestConnectionsEndWithTheController(t *testing.T) {
	o, err := parse([]string{"--controllers=hosts"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	drivers, err := o.hosts.drivers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	// The flags do not allow the address, so that the driver does not connect while it is open.
	target := ports.HostTarget{Connection: &ports.HostConnection{Address: "127.0.0.1", Port: 22, Key: newKey(t)}}
	for {
		_, err := drivers.Hosts.Probe(t.Context(), target)
		if err != nil && strings.Contains(err.Error(), "closed") {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("the driver is open: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
}

// newKey returns a private key in PEM.
func newKey(t *testing.T) secret.Value {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return secret.New(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
