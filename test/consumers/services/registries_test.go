package services_test

import (
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/plugin/containerd"
	"github.com/machineadm/machineadm/adapters/plugin/crio"
	domain "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
)

// registries is a log of the requests that some fake registries received. They have no images.
type registries struct {
	mu  sync.Mutex
	log []string
}

// handler notes the first request of the named registry for the image, with what show takes from it.
func (g *registries) handler(name string, show func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if strings.Contains(r.URL.Path, "/manifests/") {
			g.log = append(g.log, strings.TrimSpace(name+" "+r.URL.Path+" "+show(r)))
		}
		if r.URL.Path != "/v2/" {
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

// asked returns the requests, each once.
func (g *registries) asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var once []string
	for _, line := range g.log {
		if len(once) == 0 || once[len(once)-1] != line {
			once = append(once, line)
		}
	}
	return once
}

func nothing(*http.Request) string { return "" }

// started starts an old containerd without its CRI plugin, for ctr to talk to, and returns the address.
func started(t *testing.T) string {
	t.Helper()
	debian.Packages(t, "containerd")
	m := machine{root: t.TempDir()}
	// The path of a socket has at most 107 bytes, fewer than a test's directory may have.
	run, err := os.MkdirTemp("", "ctrd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	socket := filepath.Join(run, "s")
	m.write(t, "config.toml", "version = 2\nroot = '"+m.path("root")+"'\nstate = '"+filepath.Join(run, "state")+"'\n"+
		"disabled_plugins = ['io.containerd.grpc.v1.cri']\n[grpc]\naddress = '"+socket+"'\n[ttrpc]\naddress = '"+
		socket+".ttrpc'\n")
	daemon := exec.Command("/usr/bin/containerd", "-c", m.path("config.toml"))
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	gomega.NewWithT(t).Eventually(func() error {
		c, err := net.Dial("unix", socket)
		if err == nil {
			_ = c.Close()
		}
		return err
	}, 10*time.Minute).Should(gomega.Succeed())
	return socket
}

// TestContainerdUsesMirrors has ctr look for an image with hosts.toml: the mirrors are asked in the order of the
// document, with the client's certificate and header, and last the server.
func TestContainerdUsesMirrors(t *testing.T) {
	var requested registries
	secure := httptest.NewUnstartedServer(requested.handler("secure", certificateOf))
	secure.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(requested.handler("plain", func(r *http.Request) string { return r.Header.Get("X-Team") }))
	defer plain.Close()
	upstream := httptest.NewServer(requested.handler("upstream", nothing))
	defer upstream.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	certificate, key := clientPair(t, "node-7")
	c := domain.ContainerdConfig{Version: 2, Registries: []domain.Registry{{
		Host: "registry.example:5000", Server: upstream.URL,
		Mirrors: []domain.RegistryEndpoint{
			{URL: secure.URL, TLS: &domain.RegistryTLS{CA: ca, Certificate: certificate, Key: secret.New(key)}},
			{URL: plain.URL + "/v2/hub", OverridePath: true, Header: map[string]string{"X-Team": `a"b\c`}},
		},
	}}}
	m := expanded(t, containerd.New(), target(t, "debian"), c, containerd.HostsDirectory)
	pull := exec.Command("/usr/bin/ctr", "-a", started(t), "images", "pull", "--hosts-dir",
		m.path(containerd.HostsDirectory),
		"registry.example:5000/team/app:1")
	out, err := pull.CombinedOutput()
	if err == nil {
		t.Fatalf("an image that no registry has was pulled:\n%s", out)
	}
	want := []string{
		"secure /v2/team/app/manifests/1 node-7",
		`plain /v2/hub/team/app/manifests/1 a"b\c`,
		"upstream /v2/team/app/manifests/1",
	}
	if diff := cmp.Diff(want, requested.asked()); diff != "" {
		t.Errorf("requests (-want +got):\n%s%s", diff, out)
	}
}

func certificateOf(r *http.Request) string { return r.TLS.PeerCertificates[0].Subject.CommonName }

// TestContainersImageUsesMirrors has skopeo, which reads the files that CRI-O reads, look for an image.
func TestContainersImageUsesMirrors(t *testing.T) {
	debian.Packages(t, "skopeo")
	var requested registries
	first := httptest.NewServer(requested.handler("first", nothing))
	defer first.Close()
	second := httptest.NewServer(demanding(requested.handler("second", user)))
	defer second.Close()
	upstream := httptest.NewServer(requested.handler("upstream", nothing))
	defer upstream.Close()
	c := domain.CRIOConfig{Registries: []domain.Registry{{
		Host: "registry.example:5000", Server: upstream.URL,
		Mirrors: []domain.RegistryEndpoint{
			{URL: second.URL + "/v2/hub", OverridePath: true, Auth: &domain.RegistryAuth{
				Username: "ada",
				Password: secret.FromString(`p:a"s\s`),
			}},
			{URL: first.URL},
		},
	}}}
	m := expanded(t, crio.New(), target(t, "fedora-coreos"), c)
	inspect := exec.Command("skopeo", "--registries-conf", m.path(crio.RegistriesFile), "inspect", "--authfile",
		m.path(crio.AuthFile),
		"docker://registry.example:5000/team/app:1")
	out, err := inspect.CombinedOutput()
	if err == nil {
		t.Fatalf("an image that no registry has was found:\n%s", out)
	}
	want := []string{
		`second /v2/hub/team/app/manifests/1 ada p:a"s\s`,
		"first /v2/team/app/manifests/1",
		"upstream /v2/team/app/manifests/1",
	}
	if diff := cmp.Diff(want, requested.asked()); diff != "" {
		t.Errorf("requests (-want +got):\n%s%s", diff, out)
	}
}

func user(r *http.Request) string {
	name, password, _ := r.BasicAuth()
	return name + " " + password
}

// demanding answers requests without credentials with a challenge.
func demanding(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, given := r.BasicAuth(); !given {
			w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
