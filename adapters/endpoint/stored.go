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

// Memory for stored configuration. Only a few objects are read at once, and half as many for one network. They stay in
// memory until the client has read them.
const (
	readsAtOnce = 16
	readTime    = 10 * time.Second
	// maxStoredBytes limits the memory of all responses. A source gets the same share as of the connections, but at
	// least minStoredBytes, which is enough for some of the largest objects.
	maxStoredBytes = 64 << 20
	minStoredBytes = 4 << 20
)

// A client has storedTime, plus the time for its object at storedRate bytes a second, a slow line.
const (
	storedTime = 10 * time.Second
	storedRate = 32 << 10
)

// stored serves the configuration that a machine fetches at its first boot, to clients with a signed URL. It does not
// log the URL.
func (h *handler) stored(w http.ResponseWriter, r *http.Request) {
	received(r)
	code := h.storedTo(w, r)
	h.Metrics.stored(code)
	if code != http.StatusOK {
		answer(w, code)
	}
}

// storedTo sends the object if it is found, and returns the status code otherwise. Under load that is 503, because all
// machines retry after it; most do not retry after 429.
func (h *handler) storedTo(w http.ResponseWriter, r *http.Request) int {
	name := strings.Join([]string{r.PathValue("namespace"), r.PathValue("request"), r.PathValue("digest")}, "/")
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
	// The deadline is set before the client has a slot. A newer client that displaces this one sets an earlier
	// deadline, which must not be overwritten.
	until := time.Now().Add(storedFor(data.Len())) //nolint:forbidigo // deadlines of connections use the real time
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

// storedFor returns the time limit for sending an object of the size.
func storedFor(size int) time.Duration {
	return storedTime + time.Duration(size)*time.Second/storedRate
}

// storedShare returns the byte limit of a source with the given limit of connections.
func storedShare(perSource int) int {
	return max(minStoredBytes, maxStoredBytes/maxConnections*min(perSource, maxConnections))
}

// objects reads stored objects, a few at once.
type objects struct {
	ports.SignedObjects
	reads *limiter.Limiter[netip.Prefix]
	// same shares one read between clients of a network that request the same URL at the same time, such as the
	// machines of a pool.
	same singleflight.Group
	pace *pace
}

func newObjects(s ports.SignedObjects, now func() time.Time) *objects {
	return &objects{
		SignedObjects: s, reads: limiter.New[netip.Prefix](readsAtOnce, readsAtOnce/2), pace: newPace(now),
	}
}

// fetch waits for a slot and reads the object. If a client disconnects, a shared read continues for the others. Clients
// of different networks share no read, so that they do not wait behind a network that requests too much.
func (o *objects) fetch(ctx context.Context, client, name string, expires time.Time, signature string,
) (secret.Value, error) {
	network := networks(client)[0]
	key := strings.Join([]string{network.String(), name, strconv.FormatInt(expires.Unix(), 10), signature}, "\n")
	read, err, _ := o.same.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTime)
		defer cancel()
		if err := o.pace.wait(ctx, key); err != nil {
			return nil, err
		}
		release, err := o.reads.Acquire(ctx, network)
		if err != nil {
			return nil, err
		}
		defer release()
		data, err := o.Fetch(ctx, name, expires, signature)
		// Without a valid signature, nothing was read.
		if !errors.Is(err, ports.ErrStorageDenied) {
			o.pace.note(key)
		}
		return data, err
	})
	data, _ := read.(secret.Value)
	return data, err
}
