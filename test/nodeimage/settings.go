package nodeimage

import (
	"errors"
	"os"
)

// KeepSettings reads the kernel settings that kubelet sets for the whole host, because namespaces share them. The
// returned function restores them.
func KeepSettings() (restore func() error, err error) {
	values := map[string][]byte{}
	for _, name := range []string{
		"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
		"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes",
	} {
		path := "/proc/sys/" + name
		if values[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return func() error {
		var errs []error
		for path, value := range values {
			errs = append(errs, os.WriteFile(path, value, 0o644))
		}
		return errors.Join(errs...)
	}, nil
}
