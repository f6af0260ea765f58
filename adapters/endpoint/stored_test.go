package endpoint

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// shelf is a storage with one object that accepts any signature. It counts concurrent reads.
type shelf struct {
	object          secret.Value
	now, most       atomic.Int32
	reads           atomic.Int32
	requested, done chan struct{}
}

func newShelf(size int) *shelf {
	return &shelf{object: secret.FromString(strings.Repeat("x", size))}
}

// Fetch returns the object. If asked is set, it waits until it is released.
func (s *shelf) Fetch(ctx context.Context, _ string, _ time.Time, _ string) (secret.Value, error) {
	s.reads.Add(1)
	running := s.now.Add(1)
	defer s.now.Add(-1)
	for most := s.most.Load(); running > most && !s.most.CompareAndSwap(most, running); most = s.most.Load() {
	}
	if s.requested != nil {
		s.requested <- struct{}{}
		<-s.done
	}
	return s.object, ctx.Err()
}

const storedPath = "/stored/a/pool-stored/0000?expires=1&signature="

// readSlowly fetches the object with the smallest receive window, and reads only the status. Each call has another
// signature, so that none waits for the last read.
func (s *stand) readSlowly(t *testing.T, address string) net.Conn {
	t.Helper()
	slow := dialer(address)
	slow.Control = func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536)
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 1024)
		})
	}
	secured, err := (&tls.Dialer{NetDialer: slow, Config: s.tlsConfig(t)}).DialContext(t.Context(), "tcp",
		s.server.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = secured.Close() })
	path := storedPath + strings.TrimPrefix(secured.LocalAddr().String(), here+":")
	if _, err := io.WriteString(secured, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	status, err := bufio.NewReaderSize(secured, 16).ReadSlice(' ')
	if err != nil || string(status) != "HTTP/1.1 " {
		t.Fatalf("%q, %v", status, err)
	}
	return secured
}

// TestSlowReadersOfStoredObjectsLeaveRoom attacks with 128 clients of one address that do not read their responses.
func TestSlowReadersOfStoredObjectsLeaveRoom(t *testing.T) {
	for _, size := range []int{64 << 10, 256 << 10, 1 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := startWith(t, enduring(), func(o *Options) { o.Objects = newShelf(size) })
			var held []net.Conn
			for range 128 {
				held = append(held, s.readSlowly(t, here))
			}
			for range 3 {
				answer := s.from(t, there).send(t, http.MethodGet, storedPath, "", nil)
				if answer.code != http.StatusOK || len(answer.text) != size {
					t.Errorf("the victim: %d, %d bytes", answer.code, len(answer.text))
				}
			}
			s.stopWith(held)
		})
	}
}

// TestMachinesBehindOneAddressAreAllServed verifies that a pool that boots at once behind one address is served.
func TestMachinesBehindOneAddressAreAllServed(t *testing.T) {
	s := startWith(t, enduring(), func(o *Options) { o.Objects = newShelf(64 << 10) })
	defer s.stop()
	var machines sync.WaitGroup
	for range 64 {
		machines.Go(func() {
			if answer := s.send(t, http.MethodGet, storedPath, "", nil); answer.code != http.StatusOK ||
				len(answer.text) != 64<<10 {
				t.Errorf("%d, %d bytes", answer.code, len(answer.text))
			}
		})
	}
	machines.Wait()
}

// TestObjectsAreReadAFewAtATime verifies the limit of concurrent reads, which is lower for one network, and that
// clients of one network with the same URL share a read.
func TestObjectsAreReadAFewAtATime(t *testing.T) {
	const all = 3 * readsAtOnce
	for name, tc := range map[string]struct{ networks, signatures, want int }{
		"machines":              {networks: all, signatures: all, want: readsAtOnce},
		"a pool at many places": {networks: all, signatures: 1, want: readsAtOnce},
		"one place":             {networks: 1, signatures: all, want: readsAtOnce / 2},
		"a pool at one place":   {networks: 1, signatures: 1, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			storage := newShelf(10)
			storage.requested, storage.done = make(chan struct{}), make(chan struct{})
			o := newObjects(storage, time.Now)
			var clients sync.WaitGroup
			for i := range all {
				clients.Go(func() {
					client := fmt.Sprintf("192.0.2.%d:1", i%tc.networks)
					data, err := o.fetch(t.Context(), client, "a/b/c", time.Unix(1, 0), fmt.Sprint(i%tc.signatures))
					if err != nil || data.Len() != 10 {
						t.Errorf("client %d: %v", i, err)
					}
				})
			}
			// The maximum number of reads has started before the first one ends.
			for range tc.want {
				<-storage.requested
			}
			go func() {
				for range storage.requested {
				}
			}()
			close(storage.done)
			clients.Wait()
			close(storage.requested)
			if most := int(storage.most.Load()); most != tc.want {
				t.Errorf("%d reads at once", most)
			}
			if n := o.reads.Sources(); n != 0 {
				t.Errorf("%d networks are left in the limiter", n)
			}
		})
	}
}

// reads is a storage that reports the name of each object that is read, and blocks until the test releases the read.
type reads struct {
	begun chan string
	end   chan struct{}
}

// Fetch returns an empty object.
func (r reads) Fetch(_ context.Context, name string, _ time.Time, _ string) (secret.Value, error) {
	r.begun <- name
	<-r.end
	return secret.Value{}, nil
}

// TestReadersOfOneNetworkWaitForThemselves attacks with as many reads as one source may have connections, each with
// another signed URL. A machine elsewhere does not wait for them.
func TestReadersOfOneNetworkWaitForThemselves(t *testing.T) {
	storage := reads{begun: make(chan string, DefaultPerSource+1), end: make(chan struct{})}
	o := newObjects(storage, time.Now)
	var clients sync.WaitGroup
	fetch := func(client, name string) {
		clients.Go(func() {
			if _, err := o.fetch(t.Context(), client, name, time.Unix(1, 0), ""); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range DefaultPerSource {
		fetch(fmt.Sprintf("[2001:db8:1:%x::1]:1", i), fmt.Sprint("a/attacker/", i))
	}
	for range readsAtOnce / 2 {
		<-storage.begun
	}
	fetch("192.0.2.1:1", "a/machine/0")
	if name := <-storage.begun; name != "a/machine/0" {
		t.Errorf("%s is read first", name)
	}
	close(storage.end)
	clients.Wait()
}

// displacing is a log handler that calls a function for each line.
type displacing struct {
	slog.Handler
	call func()
}

func (d displacing) Handle(context.Context, slog.Record) error {
	d.call()
	return nil
}

// deadlines is a response that records the deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// TestDisplacedResponsesAreCut displaces a client right after it has acquired its slot: the deadline that cuts it must
// be the last one.
func TestDisplacedResponsesAreCut(t *testing.T) {
	responses := newClientLimiter(limits{all: 10, each: 10, grace: stalled}, time.Now, nil)
	log := slog.New(displacing{
		Handler: slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}),
		call: func() {
			responses.slots[0].cut()
		},
	})
	h := &handler{Options: Options{Log: log}, objects: newObjects(newShelf(10), time.Now), responses: responses}
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, storedPath, http.NoBody)
	if code := h.storedTo(w, r); code != http.StatusOK || len(w.set) == 0 || w.set[len(w.set)-1].After(time.Unix(1, 0)) {
		t.Errorf("%d, %v", code, w.set)
	}
}

// TestCancelledClientDoesNotCancelSharedRead verifies that a shared read continues for the other clients.
func TestCancelledClientDoesNotCancelSharedRead(t *testing.T) {
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	if data, err := newObjects(newShelf(10), time.Now).fetch(gone, here+":1", "a/b/c", time.Unix(1, 0), ""); err != nil ||
		data.Len() != 10 {
		t.Error(err)
	}
}

func TestStoredObjectsAreRetriedUnderLoad(t *testing.T) {
	s := start(t, func(o *Options) { o.Objects, o.PerSource = newShelf(minStoredBytes+1), 1 })
	defer s.stop()
	answer := s.send(t, http.MethodGet, storedPath, "", nil)
	if answer.code != http.StatusServiceUnavailable || answer.header.Get("Retry-After") == "" {
		t.Errorf("more than a share: %d, %v", answer.code, answer.header)
	}
}

func TestTimeAndShareOfStoredObjects(t *testing.T) {
	if short, long := storedFor(64<<10), storedFor(1<<20); short != 12*time.Second || long != 42*time.Second {
		t.Errorf("64 KiB have %s, 1 MiB %s", short, long)
	}
	for perSource, want := range map[int]int{1: 4 << 20, DefaultPerSource: 16 << 20, 2 * maxConnections: 64 << 20} {
		if got := storedShare(perSource); got != want {
			t.Errorf("%d connections: %d bytes", perSource, got)
		}
	}
}

// onlySigned is a storage that denies one signature.
type onlySigned struct{ *shelf }

func (o onlySigned) Fetch(ctx context.Context, name string, expires time.Time, signature string) (secret.Value, error) {
	if signature == "wrong" {
		return secret.Value{}, ports.ErrStorageDenied
	}
	return o.shelf.Fetch(ctx, name, expires, signature)
}

// TestObjectsAreNotReadEndlessly attacks with a client that fetches the object of its signed URL as often as it can.
// The endpoint would read the object from the API server each time, and use the limit of requests of all controllers.
func TestObjectsAreNotReadEndlessly(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	storage := newShelf(10)
	o := newObjects(onlySigned{storage}, func() time.Time { return now })
	var slept []time.Duration
	o.pace.sleep = func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		now = now.Add(d)
		return nil
	}
	fetch := func(client, signature string, denied bool) {
		t.Helper()
		_, err := o.fetch(t.Context(), client+":1", "a/b/c", time.Unix(1, 0), signature)
		if errors.Is(err, ports.ErrStorageDenied) != denied || !denied && err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		fetch("192.0.2.1", "", false)
		now = now.Add(100 * time.Millisecond)
	}
	if rest := readEvery - 100*time.Millisecond; !slices.Equal(slept, []time.Duration{rest, rest}) {
		t.Errorf("the reads are delayed by %v", slept)
	}
	slept = nil
	// A machine elsewhere does not wait, and a URL that is not valid is neither delayed nor remembered.
	fetch("192.0.2.2", "", false)
	fetch("192.0.2.1", "wrong", true)
	fetch("192.0.2.1", "wrong", true)
	if len(slept) > 0 || len(o.pace.last) != 2 {
		t.Errorf("the others are delayed by %v, and %d keys are remembered", slept, len(o.pace.last))
	}
	now = now.Add(readEvery)
	fetch("192.0.2.3", "", false)
	if len(slept) > 0 || len(o.pace.last) != 1 {
		t.Errorf("later: delayed by %v, and %d keys are remembered", slept, len(o.pace.last))
	}
}

// TestSleepEndsWithTheContext checks that no delay outlives a read.
func TestSleepEndsWithTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ended, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}
