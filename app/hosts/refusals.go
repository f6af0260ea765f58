package hosts

import (
	"crypto/sha256"
	"maps"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// refusals contains the keys that hosts refused at their last probe. The zero value is ready for use.
type refusals struct {
	mutex sync.Mutex
	keys  map[ports.Key]refusedKey
}

// refusedKey is the digest of a private key, and the time of the probe.
type refusedKey struct {
	digest [sha256.Size]byte
	at     time.Time
}

// record records that a host refused the key, and forgets the refusals from before a time: those hosts were probed with
// another result since then, or do not exist any more.
func (r *refusals) record(host ports.Key, key secret.Value, now, before time.Time) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	maps.DeleteFunc(r.keys, func(_ ports.Key, k refusedKey) bool { return k.at.Before(before) })
	if r.keys == nil {
		r.keys = map[ports.Key]refusedKey{}
	}
	r.keys[host] = refusedKey{digest: sha256.Sum256(key.Reveal()), at: now}
}

// another reports whether the host refused another key than this one.
func (r *refusals) another(host ports.Key, key secret.Value) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known, found := r.keys[host]
	return found && known.digest != sha256.Sum256(key.Reveal())
}
