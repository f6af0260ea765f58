package debian

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Mount lays the machine over its root until the test ends, and returns the path of what comes of it.
func (m *Machine) Mount(t testing.TB) string {
	t.Helper()
	root, work := filepath.Join(m.State, "root"), filepath.Join(m.State, "work")
	for _, dir := range []string{root, work, m.Path("/")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	Mount(t, "overlay", root, "overlay", 0, "lowerdir="+m.Lower+",upperdir="+m.Path("/")+",workdir="+work)
	return root
}

// Mount mounts until the test ends, as mount(2) does. The target is made if it is not there.
func Mount(t testing.TB, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		t.Fatalf("mount %s on %s: %v", source, target, err)
	}
	if readOnly := uintptr(syscall.MS_BIND | syscall.MS_RDONLY); flags&readOnly == readOnly {
		// The first call ignores it: mount(2).
		if err := syscall.Mount("", target, "", flags|syscall.MS_REMOUNT, ""); err != nil {
			t.Errorf("mount %s read-only: %v", target, err)
		}
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(target, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}
