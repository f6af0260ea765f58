package seal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// maxPassphrase bounds what a file or an object may hold, in bytes.
const maxPassphrase = 64 << 10

// Passphrases looks up passphrases of the providers file and remote, and passes requests for other providers to Others.
// It implements ports.Passphrases.
type Passphrases struct {
	// MapPath maps a path of the machine to the path to open; nil does not change paths.
	MapPath func(path string) (string, error)
	// Source fetches the passphrases of the provider remote, or nil if it is not supported.
	Source ports.Source
	// Fallback looks up the passphrases of all other providers, or nil if there are none.
	Fallback ports.Passphrases
}

// Passphrase returns the passphrase to which ref refers.
func (p Passphrases) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	switch {
	case ref.Provider == indirect.ProviderFile:
		return p.file(ref.URI)
	case ref.Provider == indirect.ProviderRemote && p.Source != nil:
		return p.remote(ctx, ref.URI)
	case p.Fallback != nil:
		return p.Fallback.Passphrase(ctx, ref)
	default:
		return secret.Value{}, fmt.Errorf("%s: %w", ref.Provider, ports.ErrNoProvider)
	}
}

// file reads a file that root alone reads.
func (p Passphrases) file(uri string) (secret.Value, error) {
	path, err := indirect.FilePath(uri)
	if err == nil && p.MapPath != nil {
		path, err = p.MapPath(path)
	}
	if err != nil {
		return secret.Value{}, fmt.Errorf("the file of the passphrase: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return secret.Value{}, fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is no file")
	}
	if err == nil && exposed(info) {
		err = errors.New("users other than its owner can read or write it; set its mode to 0600")
	}
	if err != nil {
		return secret.Value{}, fmt.Errorf("%w: %s: %w", ports.ErrKeyRefused, path, err)
	}
	held, err := io.ReadAll(io.LimitReader(f, maxPassphrase+1))
	return passphrase(held, err)
}

func exposed(info fs.FileInfo) bool { return onUnix && info.Mode().Perm()&0o077 != 0 }

// remote has the plugin of the URI's scheme fetch the passphrase.
func (p Passphrases) remote(ctx context.Context, uri string) (secret.Value, error) {
	scheme, err := indirect.Scheme(uri)
	if err != nil {
		return secret.Value{}, fmt.Errorf("the place of the passphrase: %w", err)
	}
	held, err := p.Source.Fetch(ctx, indirect.RemoteConfig{Provider: scheme, URI: uri})
	if err != nil && !errors.Is(err, ports.ErrNoProvider) {
		err = fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	return passphrase(held, err)
}

func passphrase(held []byte, err error) (secret.Value, error) {
	switch text := indirect.Passphrase(held); {
	case err != nil:
		return secret.Value{}, fmt.Errorf("the passphrase: %w", err)
	case len(held) > maxPassphrase || len(text) == 0:
		return secret.Value{}, fmt.Errorf("%w: it holds %d bytes", ports.ErrKeyRefused, len(held))
	default:
		return secret.New(text), nil
	}
}
