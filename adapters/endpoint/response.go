package endpoint

import (
	"net/http"
	"slices"
	"time"
)

// piece is the size of one write in bytes. After each write the client has made progress.
const piece = 32 << 10

// response is a response that holds a slot while it is written. Writes fail after the client is displaced.
type response struct {
	http.ResponseWriter
	slot *slot
	// code is the status code.
	code int
}

// respond returns a response with a slot of the limiter, which the caller must release, or nil if there is no slot.
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

// Write sends the data in pieces. It returns after the kernel has accepted the last piece, which happens as the client
// reads.
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
