//go:build linux

package namespace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"testing"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Lease leases addresses of the directory.
func (d *Driver) Lease(ctx context.Context, claim string) (addresses []netip.Prefix, err error) {
	err = place.Call(ctx, d.config.Directory, "lease", func(base *place.Directory) error {
		addresses, err = lease(base, d.config.Network.Subnets, claim)
		return err
	})
	return addresses, err
}

// Free returns the addresses of the claim.
func (d *Driver) Free(ctx context.Context, claim string) error {
	return place.Call(ctx, d.config.Directory, "free", func(base *place.Directory) error { return free(base, claim) })
}

// UUID returns the identity of the machine with the claim.
func UUID(target ports.HostTarget, claim string) string {
	return (&place.Directory{}).Place(target).UUID(claim)
}

// Groups returns the control groups of the machine with the claim.
func Groups(t *testing.T, target ports.HostTarget, claim string) (found []string) {
	t.Helper()
	groups, err := (&machine{UUID: UUID(target, claim)}).groups()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		if _, err := os.Stat(group); err == nil {
			found = append(found, group)
		}
	}
	return found
}

// Reported returns the fault that Boot returns for an error of the first process.
func Reported(err error) host.Fault {
	var pipe bytes.Buffer
	_ = json.NewEncoder(&pipe).Encode(reportOf(err))
	return reportOf(fmt.Errorf("start: %w", receive(json.NewDecoder(&pipe)))).Fault
}

// HierarchiesOf returns the mount points and options of the hierarchies in the text of mountinfo.
func HierarchiesOf(text string) [][2]string {
	var found [][2]string
	for _, h := range parseHierarchies(text) {
		found = append(found, [2]string{h.path, h.options})
	}
	return found
}

// Unconfirmed returns the failure of data without a record in the layer, or an empty string if there is none.
func Unconfirmed(t *testing.T, layer string) string {
	t.Helper()
	root, err := os.OpenRoot(layer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if f := unconfirmed(root); f != nil {
		return f.Line()
	}
	return ""
}

// ReadStart returns the start of a file.
func ReadStart(root *os.Root, name string) string { return place.ReadStart(root, name, 16) }
