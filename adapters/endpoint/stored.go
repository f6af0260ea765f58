package endpoint

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/machineadm/machineadm/ports"
)

// stored serves what a machine fetches at its first boot, to who has the signed address. The address is in no log.
func (h *handler) stored(w http.ResponseWriter, r *http.Request) {
	code := h.storedTo(w, r)
	h.Metrics.stored(code)
	if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	if code != http.StatusOK {
		answer(w, code)
	}
}

func (h *handler) storedTo(w http.ResponseWriter, r *http.Request) int {
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
	case !h.limits.allow(name):
		return http.StatusTooManyRequests
	}
	h.Log.InfoContext(r.Context(), "A machine has fetched what is stored for it", "object", name)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(data.Len()))
	// Who hung up gets no more.
	_, _ = w.Write(data.Reveal())
	return http.StatusOK
}
