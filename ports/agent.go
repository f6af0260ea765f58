package ports

import (
	"context"
	"errors"
	"io"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
)

// ErrNoProvider means that no plugin implements the provider that a document names.
var ErrNoProvider = errors.New("no such provider")

// Journal stores the operations that the agent has applied, so that they survive a power cut.
type Journal interface {
	// Load returns all entries. It omits an entry that a power cut truncated.
	Load(ctx context.Context) (journal.Journal, error)
	// Append adds entries. Once it returns, they survive a power cut. A power cut during the call may leave only the
	// first ones.
	Append(ctx context.Context, entries ...journal.Entry) error
	// Clear removes all entries, and the copies of originals.
	Clear(ctx context.Context) error
}

// Originals stores copies of files that the agent replaces.
type Originals interface {
	// Save stores a copy of the content and returns its SHA-256 in hexadecimal. Once it returns, the copy survives a power
	// cut. It may be called by several goroutines.
	Save(ctx context.Context, content io.Reader) (sha256 string, err error)
	// Open returns the copy with the SHA-256. If the copy has changed, reading it to its end returns an error.
	Open(ctx context.Context, sha256 string) (io.ReadCloser, error)
}

// Codec serialises documents as machine configuration: multi-document YAML of machineadm.io.
type Codec interface {
	// Decode returns the documents in their order. Mistakes are error findings with line and column. Documents of
	// unknown kinds have the type document.Opaque. The budget of the context (package budget) limits the size of the
	// input.
	Decode(ctx context.Context, data []byte) ([]document.Document, report.Report)
	// Encode returns the serialised documents. It is deterministic.
	Encode(docs []document.Document) ([]byte, error)
}

// Locator finds the places of findings in machine configuration.
type Locator interface {
	// Locate sets the line and column of each finding that has none and whose path exists in the text.
	Locate(text []byte, findings report.Report) report.Report
}

// Source fetches machine configuration.
type Source interface {
	// Fetch returns the configuration that the document refers to, or ErrNoProvider.
	Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error)
}

// Decrypter decrypts machine configuration.
type Decrypter interface {
	// Decrypt returns the decrypted content of a document that has passed Check. machine is the name of this machine.
	// The errors are ErrUndecryptable and those of Passphrases.
	Decrypt(ctx context.Context, c indirect.EncryptedConfig, machine string) ([]byte, error)
}

// Passphrases looks up the passphrases of encrypted configuration.
type Passphrases interface {
	// Passphrase returns the passphrase to which the reference points. The errors are ErrNoProvider, ErrKeysUnavailable
	// and ErrKeyRefused.
	Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error)
}

// Reporter publishes the status of the bootstrap.
type Reporter interface {
	// Report publishes the status. It is called at the start, after each phase and at the end.
	Report(ctx context.Context, s status.Status) error
}
