package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The bounds of connections.
const (
	shutdownTime = 5 * time.Second
	maxHeader    = 8 << 10
)

// patience is how long one who connects may take for what he sends, and for what he is sent.
type patience struct{ header, request, download time.Duration }

func usual() patience {
	return patience{header: 5 * time.Second, request: 15 * time.Second, download: 10 * time.Minute}
}

// Receiver is the use case of reports.
type Receiver interface {
	// Admit finds out who the machine is.
	Admit(ctx context.Context, data ports.Key, shown []byte) (ports.Owner, error)
	// Receive keeps what it reports.
	Receive(ctx context.Context, owner ports.Owner, document []byte) (told status.Summary, news bool, err error)
}

// Options say what is served, and how. Address, Certificate and Reports are required.
type Options struct {
	// Address is where it listens, such as :9444.
	Address string
	// Certificate returns the certificate to show; it may change as time goes by.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	Reports     Receiver
	// Agents are the agent's programs; nil serves none.
	Agents *Agents
	// Stored is what the storage of the endpoint keeps; nil serves nothing of it.
	Stored ports.Stored
	// PerSource is how many connections one address has at once; 0 is DefaultPerSource.
	PerSource int
	Log       *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
	Clock   ports.Clock
}

// Server serves machines. Start runs it.
type Server struct {
	options     Options
	handler     http.Handler
	listener    net.Listener
	patience    patience
	connections *crowd
}

// New returns a server that listens already, so that a wrong address is told at once. Log and Clock are required, too.
func New(o Options) (*Server, error) {
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("listen for machines: %w", err)
	}
	if o.PerSource == 0 {
		o.PerSource = DefaultPerSource
	}
	return &Server{
		options: o, handler: newHandler(o), listener: listener, patience: usual(),
		connections: newCrowd(maxConnections, o.PerSource, o.Metrics.turned("connection")),
	}, nil
}

// Address returns where the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// NeedLeaderElection reports that every replica serves.
func (s *Server) NeedLeaderElection() bool { return false }

// Start serves until the context ends, and then lets what is under way come to its end.
func (s *Server) Start(ctx context.Context) error {
	server := s.server()
	ended := make(chan error, 1)
	go func() {
		ended <- server.Serve(tls.NewListener(door{Listener: s.listener, crowd: s.connections}, s.tls()))
	}()
	s.options.Log.Info("Serving machines", "address", s.Address())
	select {
	case err := <-ended:
		return fmt.Errorf("serve machines: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

func (s *Server) server() *http.Server {
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: s.patience.header, ReadTimeout: s.patience.request, WriteTimeout: s.patience.download,
		MaxHeaderBytes: maxHeader,
		// What it has to say is that somebody sent rubbish, which everybody may do as often as he likes.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	// A machine says something at most every half minute. What stays open in between serves those who hold connections.
	server.SetKeepAlivesEnabled(false)
	return server
}

// tls takes version 1.2 and later. HTTP/2 has nothing to offer here, and many ways to make a server work.
func (s *Server) tls() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.options.Certificate, NextProtos: []string{"http/1.1"}}
}
