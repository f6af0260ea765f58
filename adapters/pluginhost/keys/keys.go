// Package keys calls the plugins of key management services for programs that encrypt configuration:
// machineadm-controller and machineadmctl.
package keys

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Plugins implements ports.DataKeys, ports.Passphrases and ports.Source with plugins. Each request starts and ends a
// process of the plugin. Requests are rare, and a process that hangs or leaks affects one request only. Plugins can be
// used concurrently.
type Plugins struct {
	Codec ports.Codec
	// Folders are searched for plugins; host.Directories() if it is empty.
	Folders []string
	// Sockets is the parent of the temporary folder for sockets; the system's folder for temporary files if it is empty.
	Sockets string
	// Environment returns the variables of the program, as os.LookupEnv; nil is an empty environment. Encryption plugins
	// receive those that name the identity of the program at AWS.
	Environment func(name string) (value string, found bool)
	// Log receives the output of plugins; nil discards it.
	Log io.Writer
	// Limit limits how many plugins run at once, of all copies of Plugins that share it; nil sets no limit.
	Limit *Limit
}

// identityVariables returns the names of the variables with which EKS and AWS's tools name the identity of a program:
// IAM roles for service accounts, EKS Pod Identity and the region. None of their values is a secret: tokens are in
// files.
func identityVariables() []string {
	return []string{
		"AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_SESSION_NAME", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
		"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "AWS_REGION", "AWS_DEFAULT_REGION",
	}
}

// identity returns the variables that encryption plugins receive.
func (p Plugins) identity() []string {
	var variables []string
	for _, name := range identityVariables() {
		if p.Environment == nil {
			break
		}
		if value, found := p.Environment(name); found {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

// Limit limits how many plugins run at once, in total and for each namespace.
type Limit = limiter.Limiter[string]

// NewLimit returns a limit of n plugins, at most half of them for one namespace: its service may not answer.
func NewLimit(n int) *Limit { return limiter.New[string](n, n/2) }

// DefaultConcurrency is the number of plugins that the controller runs at once. Each is a process in the controller's
// Pod.
const DefaultConcurrency = 4

// limitTimeout is how long a request waits for the limit. The caller retries later and does other work in between.
const limitTimeout = 15 * time.Second

// NewPassphrase requests a new passphrase from the plugin of the provider. The machine is namespace/name/UID.
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

// Passphrase requests a passphrase from the plugin of the provider.
func (p Plugins) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (passphrase secret.Value, err error) {
	err = p.with(ctx, "", func(s *host.Set) error {
		passphrase, err = s.Passphrase(ctx, ref)
		return err
	})
	return passphrase, err
}

// Fetch fetches the configuration with the plugin that the document names.
func (p Plugins) Fetch(ctx context.Context, c indirect.RemoteConfig) (data []byte, err error) {
	err = p.with(ctx, "", func(s *host.Set) error {
		data, err = s.Fetch(ctx, c)
		return err
	})
	return data, err
}

// with calls do with a set of plugins, and ends those that do started. A folder that cannot be removed is logged and no
// error: the caller would lose a passphrase that the service has created.
func (p Plugins) with(ctx context.Context, namespace string, do func(*host.Set) error) error {
	release, err := p.acquire(ctx, namespace)
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
		return fmt.Errorf("create a folder for sockets: %w", err)
	}
	s := host.NewSet(host.Host{
		Codec: p.Codec, Deadlines: host.DefaultDeadlines(), Sockets: sockets, Log: p.Log,
		KeyEnvironment: p.identity(),
	}, host.Search{Directories: folders})
	err = do(s)
	s.Close()
	if left := os.RemoveAll(sockets); left != nil && p.Log != nil {
		fmt.Fprintln(p.Log, "remove the folder for sockets:", left)
	}
	return err
}

func (p Plugins) acquire(ctx context.Context, namespace string) (release func(), err error) {
	if p.Limit == nil {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, limitTimeout)
	defer cancel()
	if release, err = p.Limit.Acquire(ctx, namespace); err != nil {
		return nil, fmt.Errorf("%w: too many plugins run at once: %w", ports.ErrKeysUnavailable, err)
	}
	return release, nil
}
