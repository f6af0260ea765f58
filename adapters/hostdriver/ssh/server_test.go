package ssh

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/ssh"
	"google.golang.org/grpc/test/bufconn"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// server is an SSH server in memory. It behaves as a hostile or broken host, which a real server cannot.
type server struct {
	config   *ssh.ServerConfig
	listener *bufconn.Listener
	hostKey  string
	key      secret.Value
	// session runs a session and returns its exit code.
	session func(io.ReadWriter) int
	// silent ignores the requests that keep a connection alive.
	silent bool
	// logins is the number of connections, and open that of those that have not ended.
	logins, open atomic.Int32
}

func newKey(t *testing.T) (ssh.Signer, []byte) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	return signer, pem.EncodeToMemory(block)
}

// newServer starts a server that ends with the test.
func newServer(t *testing.T, session func(io.ReadWriter) int) *server {
	t.Helper()
	signer, _ := newKey(t)
	_, key := newKey(t)
	s := &server{
		session: session, key: secret.New(key), listener: bufconn.Listen(1 << 20),
		hostKey: string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey()))),
	}
	s.config = &ssh.ServerConfig{
		PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return nil, nil },
	}
	s.config.AddHostKey(signer)
	go s.accept()
	t.Cleanup(func() { _ = s.listener.Close() })
	return s
}

func (s *server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		go s.serve(c)
	}
}

func (s *server) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	_, channels, requests, err := ssh.NewServerConn(c, s.config)
	if err != nil {
		return
	}
	s.logins.Add(1)
	s.open.Add(1)
	defer s.open.Add(-1)
	go func() {
		for r := range requests {
			if !s.silent {
				_ = r.Reply(false, nil)
			}
		}
	}()
	for channel := range channels {
		go s.run(channel)
	}
}

func (s *server) run(offered ssh.NewChannel) {
	channel, requests, err := offered.Accept()
	if err != nil {
		return
	}
	defer func() { _ = channel.Close() }()
	for r := range requests {
		_ = r.Reply(r.Type == "exec", nil)
		if r.Type != "exec" {
			continue
		}
		go ssh.DiscardRequests(requests)
		code := s.session(channel)
		_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{uint32(code)}))
		return
	}
}

// target returns the target of the server with a name.
func (s *server) target(name string) ports.HostTarget {
	return ports.HostTarget{Namespace: "default", Name: name, Connection: &ports.HostConnection{
		Address: "192.0.2.1", Port: 22, User: "root", Key: s.key, HostKeys: []string{s.hostKey},
	}}
}

// driver returns a driver that reaches only the server.
func (s *server) driver(t *testing.T, limits ports.HostDriverLimits) *Driver {
	t.Helper()
	d := New(Options{Limits: limits, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return s.listener.DialContext(ctx)
	}})
	t.Cleanup(d.Close)
	return d
}

// answer returns a session that reads the request and answers with the text.
func answer(text string) func(io.ReadWriter) int { return exits(0, text) }

// exits returns a session like answer, with an exit code.
func exits(code int, text string) func(io.ReadWriter) int {
	return func(s io.ReadWriter) int {
		readRequest(s)
		_, _ = io.WriteString(s, text)
		return code
	}
}

// readRequest reads the program and the request, and returns them.
func readRequest(s io.Reader) string {
	var read bytes.Buffer
	for buffer := make([]byte, 4096); !bytes.HasSuffix(read.Bytes(), []byte("\nend\n")); {
		n, err := s.Read(buffer)
		read.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	return read.String()
}
