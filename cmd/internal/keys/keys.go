// Package keys starts the plugins for key management services where configuration is encrypted: in the controller and
// at a terminal.
package keys

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// Plugins has keys of plugins. Each request starts its plugin and ends it: requests are rare, and a plugin that hangs
// or leaks does so once. It implements ports.DataKeys and ports.Passphrases, and may be used by several goroutines.
type Plugins struct {
	// Folders are where the plugins stand; none are the usual ones.
	Folders []string
	// Sockets is a folder in which a folder for sockets is made; empty is the system's for temporary files.
	Sockets string
	// Log takes what plugins print; nil drops it.
	Log io.Writer
	// Limit bounds how many plugins run at once, of all copies that share it; nil bounds none.
	Limit *Limit
}

// DefaultConcurrency is how many plugins the controller runs at once. Each is a process beside the controller, in the
// same Pod.
const DefaultConcurrency = 4

// NewPassphrase has the plugin of the provider make a passphrase. The machine is namespace/name/UID.
func (p Plugins) NewPassphrase(ctx context.Context, key indirect.KeyName, machine string) (passphrase secret.Value,
	uri string, err error,
) {
	namespace, _, _ := strings.Cut(machine, "/")
	err = p.with(ctx, namespace, func(s *host.Set) error {
		passphrase, uri, err = s.NewPassphrase(ctx, key, machine)
		return err
	})
	return passphrase, uri, err
}

// Passphrase asks the plugin of the provider.
func (p Plugins) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (passphrase secret.Value, err error) {
	err = p.with(ctx, "", func(s *host.Set) error {
		passphrase, err = s.Passphrase(ctx, ref)
		return err
	})
	return passphrase, err
}

// Fetch asks the plugin that the document names.
func (p Plugins) Fetch(ctx context.Context, c indirect.RemoteConfig) (data []byte, err error) {
	err = p.with(ctx, "", func(s *host.Set) error {
		data, err = s.Fetch(ctx, c)
		return err
	})
	return data, err
}

// with does something with the plugins for a namespace and ends those that it started.
func (p Plugins) with(ctx context.Context, namespace string, do func(*host.Set) error) error {
	release, err := p.Limit.acquire(ctx, namespace)
	if err != nil {
		return err
	}
	defer release()
	folders := p.Folders
	if len(folders) == 0 {
		folders = host.Directories()
	}
	sockets, err := os.MkdirTemp(p.Sockets, "machineadm-")
	if err != nil {
		return fmt.Errorf("a folder for sockets: %w", err)
	}
	s := host.NewSet(host.Host{
		Codec: codec.Codec{}, Deadlines: host.DefaultDeadlines(), Sockets: sockets, Log: p.Log,
	}, host.Search{Directories: folders})
	err = do(s)
	s.Close()
	return errors.Join(err, os.RemoveAll(sockets))
}
