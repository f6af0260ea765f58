//go:build cgo

package pkcs11

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/miekg/pkcs11"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// The lengths of the passphrase and the nonce in bytes, and of the tag in bits.
const (
	passphraseBytes = 32
	ivBytes         = 12
	tagBits         = 128
)

// associated is what the token authenticates beside the passphrase, so that nothing else that the key encrypted is
// taken for one.
const associated = "machineadm.io/v1alpha1 passphrase"

// DefaultTimeout is the timeout of a request.
const DefaultTimeout = time.Minute

// Keys implements ports.DataKeys and ports.Passphrases.
type Keys struct {
	// Module is the path of the PKCS#11 library.
	Module string
	// PIN is the PIN of the token's user.
	PIN secret.Value
	// Timeout is the timeout of a request; 0 means DefaultTimeout.
	Timeout time.Duration
}

// NewPassphrase generates a passphrase and encrypts it on the token with AES-GCM.
func (k Keys) NewPassphrase(ctx context.Context, name indirect.KeyName, _ string) (secret.Value, string, error) {
	passphrase, iv := make([]byte, passphraseBytes), make([]byte, ivBytes)
	// They fill the slices or end the program.
	_, _ = rand.Read(passphrase)
	_, _ = rand.Read(iv)
	wrapped, err := k.within(ctx, name.Key, func(s *session) ([]byte, error) {
		mechanism, free := gcm(iv)
		defer free()
		if err := s.EncryptInit(s.handle, mechanism, s.key); err != nil {
			return nil, err
		}
		return s.Encrypt(s.handle, passphrase)
	})
	if err != nil {
		return secret.Value{}, "", err
	}
	return secret.New(passphrase), indirect.KeyURI{Wrapped: slices.Concat(iv, wrapped), Key: name.Key}.String(), nil
}

// Passphrase decrypts the data of the URI on the token. The data consists of a nonce of 12 bytes, the ciphertext and
// the tag.
func (k Keys) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	u, err := indirect.ParseKeyURI(ref.URI)
	if err != nil {
		return secret.Value{}, err
	}
	if len(u.Wrapped) <= ivBytes+tagBits/8 {
		return secret.Value{}, fmt.Errorf("%w: %d bytes are not a wrapped passphrase", ports.ErrKeyRefused, len(u.Wrapped))
	}
	passphrase, err := k.within(ctx, u.Key, func(s *session) ([]byte, error) {
		mechanism, free := gcm(u.Wrapped[:ivBytes])
		defer free()
		if err := s.DecryptInit(s.handle, mechanism, s.key); err != nil {
			return nil, err
		}
		return s.Decrypt(s.handle, u.Wrapped[ivBytes:])
	})
	return secret.New(passphrase), err
}

func gcm(iv []byte) ([]*pkcs11.Mechanism, func()) {
	parameters := pkcs11.NewGCMParams(iv, []byte(associated), tagBits)
	return []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_AES_GCM, parameters)}, parameters.Free
}

// within does something with the key, and returns when the time is over, whatever the library does.
func (k Keys) within(ctx context.Context, name string, do func(*session) ([]byte, error)) ([]byte, error) {
	key, err := ParseKey(name)
	if err != nil {
		return nil, err
	}
	bound := k.Timeout
	if bound == 0 {
		bound = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := k.with(key, do)
		done <- answer{data, err}
	}()
	select {
	case a := <-done:
		return a.data, explain(a.err)
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: the token does not answer: %w", ports.ErrKeysUnavailable, ctx.Err())
	}
}

// session is a session with the token, and the key.
type session struct {
	*pkcs11.Ctx
	handle pkcs11.SessionHandle
	key    pkcs11.ObjectHandle
}

// with loads the library, logs in, finds the key and takes all back in the end.
func (k Keys) with(key Key, do func(*session) ([]byte, error)) ([]byte, error) {
	library := pkcs11.New(k.Module)
	if library == nil {
		return nil, fmt.Errorf("%w: %s cannot be loaded", ports.ErrKeysUnavailable, k.Module)
	}
	defer library.Destroy()
	if err := library.Initialize(); err != nil {
		return nil, fmt.Errorf("%w: initialize %s: %w", ports.ErrKeysUnavailable, k.Module, err)
	}
	defer func() { _ = library.Finalize() }()
	s := &session{Ctx: library}
	if err := s.open(key.Token, k.PIN); err != nil {
		return nil, err
	}
	defer func() { _ = library.CloseSession(s.handle) }()
	if err := s.find(key.Object); err != nil {
		return nil, err
	}
	return do(s)
}

// open begins a session with the token of the label.
func (s *session) open(label string, pin secret.Value) error {
	slots, err := s.GetSlotList(true)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		token, err := s.GetTokenInfo(slot)
		if err != nil || token.Label != label {
			continue
		}
		if s.handle, err = s.OpenSession(slot, pkcs11.CKF_SERIAL_SESSION); err != nil {
			return err
		}
		if err := s.Login(s.handle, pkcs11.CKU_USER, string(pin.Reveal())); err != nil {
			return errors.Join(err, s.CloseSession(s.handle))
		}
		return nil
	}
	return fmt.Errorf("%w: there is no token %q", ports.ErrKeysUnavailable, label)
}

// find looks for the one key of the label.
func (s *session) find(label string) error {
	template := []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_CLASS, pkcs11.CKO_SECRET_KEY), pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE,
			pkcs11.CKK_AES),
		pkcs11.NewAttribute(pkcs11.CKA_LABEL, label),
	}
	if err := s.FindObjectsInit(s.handle, template); err != nil {
		return err
	}
	found, _, err := s.FindObjects(s.handle, 2)
	if err := errors.Join(err, s.FindObjectsFinal(s.handle)); err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("%w: %d or more AES keys have the label %q", ports.ErrKeyRefused, len(found), label)
	}
	s.key = found[0]
	return nil
}

// explain distinguishes a token that refused from one that is missing.
func explain(err error) error {
	var code pkcs11.Error
	if !errors.As(err, &code) || errors.Is(err, ports.ErrKeysUnavailable) {
		return err
	}
	switch code {
	case pkcs11.CKR_DEVICE_ERROR, pkcs11.CKR_DEVICE_REMOVED, pkcs11.CKR_DEVICE_MEMORY, pkcs11.CKR_TOKEN_NOT_PRESENT,
		pkcs11.CKR_SESSION_COUNT,
		pkcs11.CKR_HOST_MEMORY:
		return fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	default:
		return fmt.Errorf("%w: %w", ports.ErrKeyRefused, err)
	}
}
