// Package s3server runs a real S3 server on loopback. It keeps its objects as files in a folder, where tests look for
// what lies there in clear, and spoil it.
package s3server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/test/port"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/thread"
)

// The credentials of the server's one user.
const (
	AccessKeyID     = "machineadm-test"
	SecretAccessKey = "canary7q9zk2xw5v-not-a-secret"
)

// Server is a running server.
type Server struct {
	// Endpoint is its https URL.
	Endpoint string
	// CA is the certificate that it is trusted by, in PEM.
	CA []byte
	// Dir has a folder for each bucket, with a file for each object.
	Dir string
}

// Start starts a server with the buckets. It ends with the test. A versioned server keeps what is overwritten and
// deleted.
func Start(t testing.TB, versioned bool, buckets ...string) *Server {
	t.Helper()
	program, err := tool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	s := &Server{Dir: filepath.Join(base, "objects")}
	for _, dir := range append([]string{"../meta", "../versions"}, buckets...) {
		if err := os.MkdirAll(filepath.Join(s.Dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	certificate, key := filepath.Join(base, "tls.crt"), filepath.Join(base, "tls.key")
	if s.CA, err = identity(certificate, key); err != nil {
		t.Fatal(err)
	}
	address, err := port.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--quiet", "--port", address, "--cert", certificate, "--key", key, "posix", "--sidecar",
		filepath.Join(base, "meta"),
	}
	if versioned {
		args = append(args, "--versioning-dir", filepath.Join(base, "versions"))
	}
	s.Endpoint = "https://" + address
	if err := s.run(t, filepath.Join(base, "log"), program, append(args, s.Dir)...); err != nil {
		t.Fatal(err)
	}
	for _, bucket := range buckets {
		if err := s.keepVersions(t.Context(), versioned, bucket); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// keepVersions enables versions of a bucket.
func (s *Server) keepVersions(ctx context.Context, versioned bool, bucket string) error {
	if !versioned {
		return nil
	}
	_, err := s.Client().PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket: &bucket, VersioningConfiguration: &types.VersioningConfiguration{Status: types.BucketVersioningStatusEnabled},
	})
	return err
}

// Client returns a client of the server's one user.
func (s *Server) Client() *s3.Client {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CA)
	return s3.New(s3.Options{
		Region: "us-east-1", BaseEndpoint: &s.Endpoint, UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider(AccessKeyID, SecretAccessKey, ""),
		HTTPClient: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, DisableKeepAlives: true,
		}},
	})
}

// Listed returns a policy that allows the server.
func (s *Server) Listed(t testing.TB) egress.Policy {
	t.Helper()
	p, err := egress.Parse([]string{s.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tool returns the path of the program, which is built if it is not there.
func tool(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(programs.Root(), "hack", "tool.sh"), "versitygw")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("obtain versitygw: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// run starts the program and waits until it answers. It dies with the test.
func (s *Server) run(t testing.TB, log, program string, args ...string) error {
	out, err := os.Create(log)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKeyID, "ROOT_SECRET_KEY="+SecretAccessKey)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	ended := make(chan struct{})
	if err := thread.Start(ended, cmd.Start); err != nil {
		close(ended)
		return err
	}
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	if !s.answers(ended) {
		message, _ := os.ReadFile(log)
		return fmt.Errorf("the S3 server does not answer\n%s", message)
	}
	return nil
}

// answers waits until the server does, or has ended.
func (s *Server) answers(ended <-chan struct{}) bool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CA)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		c, err := tls.Dial("tcp", strings.TrimPrefix(s.Endpoint, "https://"),
			&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12})
		if err == nil {
			return c.Close() == nil
		}
		select {
		case <-ended:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return false
}

// identity writes a certificate for loopback, which signs itself, and its key.
func identity(certificate, key string) ([]byte, error) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "s3"},
		NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		return nil, err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(certificate, text, 0o600); err != nil {
		return nil, err
	}
	return text, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600)
}

// Objects returns the contents of all files in the bucket by their paths relative to it. Files and directories that the
// server deletes meanwhile are left out.
func (s *Server) Objects(bucket string) (map[string][]byte, error) {
	found := map[string][]byte{}
	dir := filepath.Join(s.Dir, bucket)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path != dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read an object: %w", err)
		}
		name, err := filepath.Rel(dir, path)
		found[name] = data
		return err
	})
	return found, err
}
