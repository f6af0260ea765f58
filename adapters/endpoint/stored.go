package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Memory for stored configuration. Objects are read a few at a time, whatever clients do, of one network half as many,
// and wait in memory until the client has taken them.
const (
	readsAtOnce = 16
	readTime    = 10 * time.Second
	// maxStoredBytes is what all responses together hold in memory. A source has the share that it has of the connections,
	// and at least minStoredBytes: some of the largest objects.
	maxStoredBytes = 64 << 20
	minStoredBytes = 4 << 20
)

// A client has storedTime and the time that its object takes at storedRate bytes a second, a slow line.
const (
	storedTime = 10 * time.Second
	storedRate = 32 << 10
)

// stored serves what a machine fetches at its first boot, to clients with the signed address. The address is not
// logged.
func (h *handler) stored(w http.ResponseWriter, r *http.Request) {
	received(r)
	code := h.storedTo(w, r)
	h.Metrics.stored(code)
	if code != http.StatusOK {
		answer(w, code)
	}
}

// storedTo answers if the object is found, and returns the code otherwise. Under load that is 503, after which all
// machines try again; most do not after 429.
func (h *handler) storedTo(w http.ResponseWriter, r *http.Request) int {
	name := strings.Join([]string{r.PathValue("namespace"), r.PathValue("deposit"), r.PathValue("digest")}, "/")
	query := r.URL.Query()
	seconds, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	if err != nil || len(name) > maxNamespace+2*maxName {
		return http.StatusForbidden
	}
	data, err := h.objects.fetch(r.Context(), r.RemoteAddr, name, time.Unix(seconds, 0), query.Get("signature"))
	switch {
	case errors.Is(err, ports.ErrStorageDenied):
		return http.StatusForbidden
	case errors.Is(err, ports.ErrNoObject):
		return http.StatusNotFound
	case err != nil:
		h.Log.ErrorContext(r.Context(), "Cannot serve a stored object", "object", name, "error", err.Error())
		return http.StatusServiceUnavailable
	}
	// It is set before the client has a slot: a newer client that displaces it sets an earlier deadline, which must
	// remain.
	until := time.Now().Add(storedFor(data.Len())) //nolint:forbidigo // connections end by the real time
	_ = http.NewResponseController(w).SetWriteDeadline(until)
	out := respond(w, r, h.responses, data.Len())
	if out == nil {
		return http.StatusServiceUnavailable
	}
	defer out.slot.release()
	h.Log.DebugContext(r.Context(), "Serving a stored object", "object", name)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(data.Len()))
	_, _ = out.Write(data.Reveal())
	return http.StatusOK
}

// storedFor returns how long a client may take for an object of the size.
func storedFor(size int) time.Duration {
	return storedTime + time.Duration(size)*time.Second/storedRate
}

// storedShare returns how many bytes of responses a source holds, which has so many of all connections.
func storedShare(perSource int) int {
	return max(minStoredBytes, maxStoredBytes/maxConnections*min(perSource, maxConnections))
}

// objects reads stored objects, a few at a time.
type objects struct {
	ports.Stored
	reads *limiter.Limiter[netip.Prefix]
	// same shares one read among the clients of a network that ask with the same address at the same time, as the machines
	// of a pool do.
	same singleflight.Group
}

func newObjects(s ports.Stored) *objects {
	return &objects{Stored: s, reads: limiter.New[netip.Prefix](readsAtOnce, readsAtOnce/2)}
}

// fetch waits for its turn and reads the object. A client that hangs up does not end the read that others share.
// Clients of other networks do not share it: they would wait for the turn of a network that asks for too much.
func (o *objects) fetch(ctx context.Context, client, name string, expires time.Time,
	signature string,
) (secret.Value, error) {
	network := networks(client)[0]
	key := strings.Join([]string{network.String(), name, strconv.FormatInt(expires.Unix(), 10), signature}, "\n")
	read, err, _ := o.same.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTime)
		defer cancel()
		release, err := o.reads.Acquire(ctx, network)
		if err != nil {
			return nil, err
		}
		defer release()
		return o.Fetch(ctx, name, expires, signature)
	})
	data, _ := read.(secret.Value)
	return data, err
}
