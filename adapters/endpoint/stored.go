package endpoint

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/machineadm/machineadm/ports"
)

// How much of what is stored is held in memory at once, and for how long. There is no rate for each address: the machines of a pool
// have one, and boot together.
const (
	storedAtOnce = 128
	storedTime   = time.Minute
)

// stored serves what a machine fetches at its first boot, to who has the signed address. The address is in no log.
func (h *handler) stored(w http.ResponseWriter, r *http.Request) {
	code := h.storedTo(w, r)
	h.Metrics.stored(code)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	if code != http.StatusOK {
		answer(w, code)
	}
}

// storedTo answers what is found. Under load it says that it is unavailable, which machines try again whatever fetches for them; to 429
// most take no for an answer.
func (h *handler) storedTo(w http.ResponseWriter, r *http.Request) int {
	select {
	case h.limits.turns <- struct{}{}:
		defer func() { <-h.limits.turns }()
	default:
		return http.StatusServiceUnavailable
	}
	name := strings.Join([]string{r.PathValue("namespace"), r.PathValue("deposit"), r.PathValue("digest")}, "/")
	query := r.URL.Query()
	seconds, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	if err != nil || len(name) > maxNamespace+2*maxName {
		return http.StatusForbidden
	}
	data, err := h.Stored.Fetch(r.Context(), name, time.Unix(seconds, 0), query.Get("signature"))
	switch {
	case errors.Is(err, ports.ErrStorageDenied):
		return http.StatusForbidden
	case errors.Is(err, ports.ErrNoObject):
		return http.StatusNotFound
	case err != nil:
		h.Log.ErrorContext(r.Context(), "Cannot serve what is stored", "object", name, "error", err.Error())
		return http.StatusServiceUnavailable
	}
	h.Log.InfoContext(r.Context(), "A machine has fetched what is stored for it", "object", name)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(data.Len()))
	// Who reads slowly, or hung up, gets no more.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(storedTime)) //nolint:forbidigo // connections end by the real time
	_, _ = w.Write(data.Reveal())
	return http.StatusOK
}
