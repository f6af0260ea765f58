package machine_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
)

func TestIsVolatile(t *testing.T) {
	for path, want := range map[string]bool{
		"/run/kubeadm/x.env": true, "/tmp/setup.sh": true, "/dev/shm/x": true, "/dev/kmsg": true, "/var/run/x": true,
		"/var/lock/x": true, "/var/tmp/x": false, "/run": false, "/runner/x": false, "/etc/run/x": false,
		"/var/lib/x": false, `C:\run\x`: false,
	} {
		if got := machine.IsVolatile(path); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}
