package nodeimage

import (
	"errors"
	"os"
	"strconv"
	"strings"
)

// inotifyInstances is enough for several clusters at once. systemd, kubelet and containerd of one node use about 15 of
// the 128 instances that Linux allows a user by default.
const inotifyInstances = 1024

// ChangeSettings raises the number of inotify instances, which namespaces share. The returned function restores it, and
// the kernel settings that kubelet sets for the whole host.
func ChangeSettings() (restore func() error, err error) {
	const instances = "/proc/sys/fs/inotify/max_user_instances"
	values := map[string][]byte{}
	for _, path := range []string{
		instances, "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/panic_on_oom", "/proc/sys/kernel/panic",
		"/proc/sys/kernel/panic_on_oops", "/proc/sys/kernel/keys/root_maxkeys", "/proc/sys/kernel/keys/root_maxbytes",
	} {
		if values[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	restore = func() error {
		var errs []error
		for path, value := range values {
			errs = append(errs, os.WriteFile(path, value, 0o644))
		}
		return errors.Join(errs...)
	}
	current, err := strconv.Atoi(strings.TrimSpace(string(values[instances])))
	if err != nil || current >= inotifyInstances {
		return restore, err
	}
	return restore, os.WriteFile(instances, []byte(strconv.Itoa(inotifyInstances)), 0o644)
}
