package endpoint

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The limits of connections. Half of them are for short requests: reports and stored configuration.
const (
	maxHeader      = 8 << 10
	maxConnections = 2048
	// DefaultPerSource is the default limit of concurrent connections per address. Many machines can share one address,
	// and each needs a connection.
	DefaultPerSource = 512
	downloading      = 2
)

// A client that is idle for the grace period can be displaced: one that has not sent its request, or that does not read
// the response.
const (
	grace   = time.Second
	stalled = 5 * time.Second
)

// timeouts limit how long a client may take. header limits sending the header, request the whole request, and download
// reading the response. shutdown limits running requests when the server stops.
type timeouts struct{ header, request, download, shutdown time.Duration }

func defaultTimeouts() timeouts {
	return timeouts{
		header: 5 * time.Second, request: 15 * time.Second, download: 10 * time.Minute,
		shutdown: 5 * time.Second,
	}
}

// Receiver is the use case of reports.
type Receiver interface {
	// Admit returns the machine with the credential.
	Admit(ctx context.Context, data ports.Key, shown []byte) (ports.ReportingMachine, error)
	// Receive stores the report.
	Receive(ctx context.Context, machine ports.ReportingMachine, document []byte) (reported status.Status,
		news bool, err error)
}

// Options configures the server. Address, Certificate, Reports, Log and Clock are required.
type Options struct {
	// Address is the address to listen at, such as :9444.
	Address string
	// Certificate returns the server's certificate, which may be rotated.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	Reports     Receiver
	// Agents are the programs of the agent; nil serves none.
	Agents *Agents
	// Objects returns the objects of the endpoint's storage; nil serves none.
	Objects ports.SignedObjects
	// PerSource limits the concurrent connections of one address; 0 is DefaultPerSource.
	PerSource int
	Log       *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
	Clock   ports.Clock
}

// Server serves machines. Call Start to run it.
type Server struct {
	options     Options
	handler     http.Handler
	listener    net.Listener
	timeouts    timeouts
	connections *clientLimiter
}

// New returns a server that already listens, so that an invalid address fails early.
func New(o Options) (*Server, error) {
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("listen for machines: %w", err)
	}
	if o.PerSource == 0 {
		o.PerSource = DefaultPerSource
	}
	o.Log = limitLog(o.Log)
	return &Server{
		options: o, handler: newHandler(o), listener: listener, timeouts: defaultTimeouts(),
		connections: newClientLimiter(limits{all: maxConnections, each: o.PerSource, grace: grace, idleYields: true},
			o.Clock.Now, o.Metrics.rejected("connection")),
	}, nil
}

// Address returns the address that the server listens at.
func (s *Server) Address() string { return s.listener.Addr().String() }

// NeedLeaderElection returns false, since every replica serves.
func (s *Server) NeedLeaderElection() bool { return false }

// Start serves until the context ends, and then waits for running requests.
func (s *Server) Start(ctx context.Context) error {
	server := s.server()
	ended := make(chan error, 1)
	go func() {
		ended <- server.Serve(tls.NewListener(limitedListener{Listener: s.listener, limiter: s.connections}, s.tls()))
	}()
	s.options.Log.Info("Serving machines", "address", s.Address())
	select {
	case err := <-ended:
		return fmt.Errorf("serve machines: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeouts.shutdown)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		// Connections that are still open are closed; this is not an error of the server.
		return server.Close()
	}
	return nil
}

func (s *Server) server() *http.Server {
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: s.timeouts.header, ReadTimeout: s.timeouts.request,
		WriteTimeout:   s.timeouts.download,
		MaxHeaderBytes: maxHeader, ConnContext: withSlot,
		// The server would log malformed requests, which any client can send without limit.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	// A machine reports at most every 30 seconds. Connections that stay open in between only help attackers.
	server.SetKeepAlivesEnabled(false)
	return server
}

// tls returns a configuration for TLS 1.2 and later without HTTP/2. A machine sends one request, and streams would
// bypass the limits per source.
func (s *Server) tls() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, GetCertificate: s.options.Certificate,
		NextProtos: []string{"http/1.1"},
	}
}
