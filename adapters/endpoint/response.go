package endpoint

import (
	"net/http"
	"slices"
	"time"
)

// piece is how much of a response is written at once, after which the client has made progress.
const piece = 32 << 10

// response is a response that holds a slot while it is written. A client that is displaced gets no more of it.
type response struct {
	http.ResponseWriter
	slot *slot
	// code is the status code.
	code int
}

// respond returns a response with a slot of the limiter; nil if there is none. The caller has to release the slot.
func respond(w http.ResponseWriter, r *http.Request, l *clientLimiter, size int) *response {
	s := l.acquire(r.RemoteAddr, size, func() { _ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)) })
	if s == nil {
		return nil
	}
	return &response{ResponseWriter: w, slot: s, code: http.StatusOK}
}

// WriteHeader sends the status code.
func (r *response) WriteHeader(code int) {
	r.code = code
	r.ResponseWriter.WriteHeader(code)
}

// Write sends the data in pieces. It returns once the system has taken the last one, which it does as the client reads.
func (r *response) Write(data []byte) (n int, err error) {
	for part := range slices.Chunk(data, piece) {
		written, err := r.ResponseWriter.Write(part)
		n += written
		if err != nil {
			return n, err
		}
		r.slot.progress()
	}
	return n, nil
}
