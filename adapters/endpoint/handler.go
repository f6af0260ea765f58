package endpoint

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/ports"
)

// MaxReport is the maximum size of a report in bytes.
const MaxReport = 32 << 10

// The maximum lengths of names in Kubernetes.
const (
	maxNamespace = 63
	maxName      = 253
)

// The label values of the request metric.
const (
	resultKept      = "kept"
	resultKnown     = "known"
	resultRefused   = "refused"
	resultLimited   = "limited"
	resultTooLarge  = "too_large"
	resultMalformed = "malformed"
	resultFailed    = "failed"
)

type handler struct {
	Options
	// reports limits the rate of reports per machine. Clients without a credential use no memory and no machine's
	// quota.
	reports *rates
	// downloads limits downloads of the agent, and responses the bytes of stored objects.
	downloads, responses *clientLimiter
	objects              *objects
}

func newHandler(o Options) http.Handler {
	h := &handler{
		Options: o, reports: newRates(reportsPerSecond, reportsAtOnce), objects: newObjects(o.Objects, o.Clock.Now),
		downloads: newClientLimiter(limits{
			all: maxConnections / downloading, each: max(1, o.PerSource/downloading),
			grace: stalled,
		},
			o.Clock.Now, o.Metrics.rejected("download")),
		responses: newClientLimiter(limits{all: maxStoredBytes, each: storedShare(o.PerSource), grace: stalled},
			o.Clock.Now, o.Metrics.rejected("stored")),
	}
	mux := http.NewServeMux()
	for _, method := range []string{http.MethodPut, http.MethodPost} {
		mux.HandleFunc(method+" /reports/{namespace}/{name}", h.report)
	}
	if o.Agents != nil {
		mux.HandleFunc("GET /agent/{os}/{architecture}", h.agent)
	}
	if o.Objects != nil {
		mux.HandleFunc("GET /stored/{namespace}/{request}/{digest}", h.stored)
	}
	return uncached(mux)
}

// uncached sets the headers that prevent caching and content type sniffing.
func uncached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// report receives a report. It checks the credential first, so that clients without one are cheap, then the machine's
// rate, and reads the body last.
func (h *handler) report(w http.ResponseWriter, r *http.Request) {
	key := ports.Key{Namespace: r.PathValue("namespace"), Name: r.PathValue("name")}
	result, code := h.receive(w, r, key)
	h.Metrics.report(result)
	answer(w, code)
}

func (h *handler) receive(w http.ResponseWriter, r *http.Request, key ports.Key) (result string, code int) {
	shown, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || len(key.Namespace) > maxNamespace || len(key.Name) > maxName {
		return resultRefused, http.StatusUnauthorized
	}
	machine, err := h.Reports.Admit(r.Context(), key, []byte(shown))
	if err != nil {
		return h.failed(r, key, err)
	}
	if !h.reports.allow(machine.Owner.UID, h.Clock.Now()) {
		return resultLimited, http.StatusTooManyRequests
	}
	document, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxReport))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return resultTooLarge, http.StatusRequestEntityTooLarge
	}
	if err != nil {
		return resultMalformed, http.StatusBadRequest
	}
	received(r)
	reported, news, err := h.Reports.Receive(r.Context(), machine, document)
	if err != nil {
		return h.failed(r, key, err)
	}
	if !news {
		return resultKnown, http.StatusNoContent
	}
	h.Log.InfoContext(r.Context(), "A machine has reported", "MachineBootstrapConfig", machine.Owner.String(), "state",
		reported.State)
	return resultKept, http.StatusNoContent
}

// failed logs the error; the client only gets the status code.
func (h *handler) failed(r *http.Request, key ports.Key, err error) (result string, code int) {
	switch {
	case errors.Is(err, reports.ErrRefused):
		h.Log.DebugContext(r.Context(), "Refused a report")
		return resultRefused, http.StatusUnauthorized
	case errors.Is(err, reports.ErrMalformed):
		h.Log.InfoContext(r.Context(), "A machine has sent something else than a report", "data", key.String(),
			"reason", err.Error())
		return resultMalformed, http.StatusBadRequest
	default:
		h.Log.ErrorContext(r.Context(), "Cannot keep a report", "data", key.String(), "error", err.Error())
		return resultFailed, http.StatusServiceUnavailable
	}
}

// agent serves a program. It needs no credential, since programs are not secret.
func (h *handler) agent(w http.ResponseWriter, r *http.Request) {
	received(r)
	program, found := h.Agents.find(r.PathValue("os"), r.PathValue("architecture"), r.URL.Query().Get("sha256"))
	if !found {
		h.Metrics.download("", "", http.StatusNotFound)
		answer(w, http.StatusNotFound)
		return
	}
	h.Metrics.download(program.OS, program.Architecture, h.download(w, r, program))
}

// download serves a program if there is a slot. If the client is displaced, its connection is closed and it has to
// start again.
func (h *handler) download(w http.ResponseWriter, r *http.Request, program Program) int {
	out := respond(w, r, h.downloads, 1)
	if out == nil {
		answer(w, http.StatusServiceUnavailable)
		return http.StatusServiceUnavailable
	}
	defer out.slot.release()
	program.serve(out, r)
	if out.code >= http.StatusInternalServerError {
		h.Log.ErrorContext(r.Context(), "Cannot serve the agent", "os", program.OS, "architecture", program.Architecture)
	}
	return out.code
}

// answer sends a status code and the headers that belong to it.
func answer(w http.ResponseWriter, code int) {
	switch code {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "10")
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(code)
}
