package endpoint

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/ports"
)

// MaxReport is the most bytes of a report.
const MaxReport = 32 << 10

// The longest names that Kubernetes has.
const (
	maxNamespace = 63
	maxName      = 253
)

// The results that the metric counts.
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
	limits *limits
	// downloads are those of the agent.
	downloads *crowd
}

func newHandler(o Options) http.Handler {
	h := &handler{
		Options: o, limits: newLimits(o.Clock),
		downloads: newCrowd(maxConnections/downloading, max(1, o.PerSource/downloading), o.Metrics.turned("download")),
	}
	mux := http.NewServeMux()
	for _, method := range []string{http.MethodPut, http.MethodPost} {
		mux.HandleFunc(method+" /reports/{namespace}/{name}", h.report)
	}
	if o.Agents != nil {
		mux.HandleFunc("GET /agent/{os}/{architecture}", h.agent)
	}
	if o.Stored != nil {
		mux.HandleFunc("GET /stored/{namespace}/{deposit}/{digest}", h.stored)
	}
	return quiet(mux)
}

// quiet has nothing stored on the way, and no answer taken for something else than it is.
func quiet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// report takes one report. Who the machine is comes first, so that strangers cost little; then whether it reports too often, and
// only then what it says.
func (h *handler) report(w http.ResponseWriter, r *http.Request) {
	key := ports.Key{Namespace: r.PathValue("namespace"), Name: r.PathValue("name")}
	result, code := h.receive(w, r, key)
	h.Metrics.report(result)
	if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	if code == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	answer(w, code)
}

func (h *handler) receive(w http.ResponseWriter, r *http.Request, key ports.Key) (result string, code int) {
	shown, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || len(key.Namespace) > maxNamespace || len(key.Name) > maxName {
		return resultRefused, http.StatusUnauthorized
	}
	owner, err := h.Reports.Admit(r.Context(), key, []byte(shown))
	if err != nil {
		return h.failed(r, key, err)
	}
	if !h.limits.allow(owner.UID) {
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
	told, news, err := h.Reports.Receive(r.Context(), owner, document)
	if err != nil {
		return h.failed(r, key, err)
	}
	if !news {
		return resultKnown, http.StatusNoContent
	}
	h.Log.InfoContext(r.Context(), "A machine has reported", "MachineBootstrapConfig", owner.String(), "state", told.State)
	return resultKept, http.StatusNoContent
}

// failed says in the log what it says to nobody else. Strangers do not fill it.
func (h *handler) failed(r *http.Request, key ports.Key, err error) (result string, code int) {
	switch {
	case errors.Is(err, reports.ErrRefused):
		h.Log.DebugContext(r.Context(), "Refused a report")
		return resultRefused, http.StatusUnauthorized
	case errors.Is(err, reports.ErrMalformed):
		h.Log.InfoContext(r.Context(), "A machine has sent something else than a report", "data", key.String(), "reason", err.Error())
		return resultMalformed, http.StatusBadRequest
	default:
		h.Log.ErrorContext(r.Context(), "Cannot keep a report", "data", key.String(), "error", err.Error())
		return resultFailed, http.StatusServiceUnavailable
	}
}

// agent serves a program. It is no secret.
func (h *handler) agent(w http.ResponseWriter, r *http.Request) {
	program, found := h.Agents.find(r.PathValue("os"), r.PathValue("architecture"), r.URL.Query().Get("sha256"))
	if !found {
		h.Metrics.download("", "", http.StatusNotFound)
		answer(w, http.StatusNotFound)
		return
	}
	h.Metrics.download(program.OS, program.Architecture, h.download(w, r, program))
}

// download serves a program while there is a place. Who has to go for another is cut off, and begins again.
func (h *handler) download(w http.ResponseWriter, r *http.Request, program Program) int {
	leave, in := h.downloads.enter(source(r.RemoteAddr), func() { _ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)) })
	if !in {
		w.Header().Set("Retry-After", "10")
		answer(w, http.StatusServiceUnavailable)
		return http.StatusServiceUnavailable
	}
	defer leave()
	code := program.serve(w, r)
	if code >= http.StatusInternalServerError {
		h.Log.ErrorContext(r.Context(), "Cannot serve the agent", "os", program.OS, "architecture", program.Architecture)
	}
	return code
}

// answer sends a code and nothing else.
func answer(w http.ResponseWriter, code int) {
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(code)
}
