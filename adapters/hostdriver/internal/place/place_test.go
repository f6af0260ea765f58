//go:build linux

package place_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

func TestFaultsOfTheSystem(t *testing.T) {
	for err, want := range map[error]host.Fault{
		unix.ENOSPC: host.FaultDiskFull,
		unix.EDQUOT: host.FaultDiskFull,
		unix.EMFILE: host.FaultBusy,
		unix.ENFILE: host.FaultBusy,
		unix.ENOMEM: host.FaultBusy,
		unix.EAGAIN: host.FaultBusy,
		unix.EPERM:  host.FaultUnsupported,
	} {
		wrapped := fmt.Errorf("start: %w", &fs.PathError{Op: "open", Path: "f", Err: err})
		if got := place.FaultOf(wrapped); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// TestReleaseAtALimit checks that a release that reaches a limit of the host is tried again. The error would otherwise
// be that of a reset, after which the machine is given up.
func TestReleaseAtALimit(t *testing.T) {
	directory, target := t.TempDir(), ports.HostTarget{Namespace: "default", Name: "machine-1"}
	locked := func(work func(*place.Place) error) error {
		return place.Locked(t.Context(), directory, "release", target, work)
	}
	release := func(result error) error {
		return locked(func(p *place.Place) error {
			return p.Release(t.Context(), "a", func(string) error { return result })
		})
	}
	if err := locked(func(p *place.Place) error { return p.Take("a", nil) }); err != nil {
		t.Fatal(err)
	}
	var failed *ports.HostError
	if err := release(unix.EMFILE); !errors.As(err, &failed) || failed.Fault != host.FaultBusy {
		t.Errorf("error %v", err)
	}
	err := place.Call(t.Context(), directory, "observe", func(base *place.Directory) error {
		o, err := base.Place(target).Observe("a", nil)
		if o.Phase != host.PhaseInterrupted {
			t.Errorf("%+v", o)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := release(nil); err != nil {
		t.Error(err)
	}
}

// TestUUID checks that machines with the same claim, and claims of the same machine, have identities of their own.
func TestUUID(t *testing.T) {
	base, seen := &place.Directory{}, map[string]bool{}
	for _, name := range []string{"a", "b"} {
		for _, claim := range []string{"1", "2"} {
			p := base.Place(ports.HostTarget{Namespace: "default", Name: name})
			id := p.UUID(claim)
			if len(id) != 36 || seen[id] || id != p.UUID(claim) {
				t.Errorf("the UUID is %s", id)
			}
			seen[id] = true
		}
	}
}
