//go:build e2e

package vm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/test/controlplane"
)

// provision runs the engine's stages as the initial ramdisk does, with the root on /sysroot. The first boot applies the
// units' presets; here a command does. As there, nothing is disabled.
const provision = `#!/bin/sh
set -e
exec >/dev/console 2>&1
mkdir -p /sysroot /run/ignition
mount --bind / /sysroot
export IGNITION_CONFIG_FILE=/root/config.ign
for stage in fetch disks mount files umount; do
  /usr/local/sbin/ignition --platform=file --stage=$stage --root=/sysroot --config-cache=/run/ignition/cache \
    --state-file=/run/ignition/state --neednet=/run/ignition/neednet --log-to-stdout >/run/ignition/log 2>&1 ||
    { echo "stage $stage failed"; grep -v '^ ' /run/ignition/log | cut -c1-300 | tail -n 20; exit 1; }
  echo "stage $stage done"
done
umount /sysroot
systemctl preset-all --preset-mode=enable-only 2>/dev/null
sync
echo provisioned
`

// The target of the first boot provisions, whatever comes of it, and powers the machine off.
const (
	provisionUnit = `[Unit]
After=basic.target dbus.service
Wants=dbus.service
[Service]
Type=oneshot
ExecStart=/bin/sh /usr/local/sbin/provision
ExecStopPost=/bin/systemctl --force --force poweroff
`
	provisionTarget = "[Unit]\nRequires=basic.target\nWants=provision.service\nAfter=provision.service\nAllowIsolate=yes\n"
)

// stub replaces the files that the configuration downloads, and Flatcar's programs.
const stub = "#!/bin/sh\n"

// offline returns the configuration with a program in place of each file of a server.
func offline(t *testing.T, config []byte) []byte {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(config, &c); err != nil {
		t.Fatal(err)
	}
	storage, _ := c["storage"].(map[string]any)
	files, _ := storage["files"].([]any)
	for _, f := range files {
		file, _ := f.(map[string]any)
		contents, _ := file["contents"].(map[string]any)
		if source, _ := contents["source"].(string); strings.HasPrefix(source, "http") {
			file["contents"] = map[string]any{"source": dataurl.EncodeBytes([]byte(stub))}
		}
	}
	if len(files) == 0 || storage["disks"] == nil {
		t.Fatal("the configuration has no files, or no disks")
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestIgnitionCreatesFileSystems(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "multi-user.target")
	engine, err := controlplane.Tool(t.Context(), "ignition")
	if err != nil {
		t.Fatal(err)
	}
	m.Install(t, "/usr/local/sbin/ignition", engine)
	m.Put(t, "/usr/local/sbin/provision", provision, 0o755)
	m.Put(t, "/usr/local/sbin/systemd-sysext", stub, 0o755)
	m.Put(t, "/root/config.ign", string(offline(t, golden(t, "storage", "ignition/flatcar-4230.2.0.ign"))), 0o600)
	m.Put(t, "/etc/systemd/system/provision.service", provisionUnit, 0o644)
	m.Put(t, "/etc/systemd/system/provision.target", provisionTarget, 0o644)
	m.Put(t, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n", 0o444)
	m.Put(t, "/etc/cloud/cloud-init.disabled", "", 0o644)
	m.Boot(t, "systemd.unit=provision.target")
	if !m.Printed("provisioned") {
		t.Fatal(m.Console())
	}
	m.Boot(t)
	holdsStorage(t, m)
}
