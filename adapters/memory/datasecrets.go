package memory

import (
	"context"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// DataSecrets implements ports.DataSecrets. The zero value is ready to use.
type DataSecrets struct {
	mutex sync.Mutex
	data  map[ports.Key]ports.DataSecret
}

// Create publishes the data.
func (s *DataSecrets) Create(_ context.Context, d ports.DataSecret) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if old, found := s.data[d.Key]; found {
		return conflict(old, d.Owner, ports.ErrDataExists)
	}
	s.put(d)
	return nil
}

// Find returns the metadata of the data.
func (s *DataSecrets) Find(_ context.Context, key ports.Key, owner ports.Owner) (ports.DataSecret, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d, found := s.data[key]
	if !found {
		return ports.DataSecret{}, ports.ErrNoData
	}
	d.Payload, d.Credential, d.PreviousExpiry = delivery.Payload{}, credential.Grant{}, time.Time{}
	d.Metadata = delivery.Metadata{}
	return d, conflict(d, owner, nil)
}

// Replace replaces the owner's data.
func (s *DataSecrets) Replace(_ context.Context, d ports.DataSecret) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	old, found := s.data[d.Key]
	if !found {
		return ports.ErrNoData
	}
	if err := conflict(old, d.Owner, nil); err != nil {
		return err
	}
	d.Published = old.Published
	s.put(d)
	return nil
}

// Repair restores the owner of the data.
func (s *DataSecrets) Repair(_ context.Context, key ports.Key, owner ports.Owner) error {
	return s.change(key, owner, func(d *ports.DataSecret) { d.Owner = owner })
}

// Expire removes the credential of the data.
func (s *DataSecrets) Expire(_ context.Context, key ports.Key, owner ports.Owner) error {
	return s.change(key, owner, func(d *ports.DataSecret) { d.Credential = credential.Grant{} })
}

// change changes the data if it is the owner's.
func (s *DataSecrets) change(key ports.Key, owner ports.Owner, edit func(*ports.DataSecret)) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d, found := s.data[key]
	if !found {
		return ports.ErrNoData
	}
	if err := conflict(d, owner, nil); err != nil {
		return err
	}
	edit(&d)
	s.put(d)
	return nil
}

// Credential returns the credential for reports of the data under the name, or zero if there is none.
func (s *DataSecrets) Credential(key ports.Key) credential.Grant {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.data[key].Credential
}

// Payload returns the published payload with the name.
func (s *DataSecrets) Payload(key ports.Key) (delivery.Payload, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d, found := s.data[key]
	return d.Payload, found
}

// Orphan removes the owner of the data, as after the restore of a backup.
func (s *DataSecrets) Orphan(key ports.Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.data[key]
	d.Owner = ports.Owner{}
	s.put(d)
}

// Delete removes the data.
func (s *DataSecrets) Delete(key ports.Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.data, key)
}

func (s *DataSecrets) put(d ports.DataSecret) {
	if s.data == nil {
		s.data = map[ports.Key]ports.DataSecret{}
	}
	s.data[d.Key] = d
}

// conflict returns ErrNotOwned if another owner controls d, and otherwise the given error.
func conflict(d ports.DataSecret, owner ports.Owner, otherwise error) error {
	if d.Owner != (ports.Owner{}) && d.Owner != owner {
		return ports.ErrNotOwned
	}
	return otherwise
}
