package bootscript_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
)

// reportServer is an endpoint that stores the requests.
type reportServer struct {
	*httptest.Server
	mutex sync.Mutex
	got   []string
}

func newReportServer(t *testing.T) *reportServer {
	t.Helper()
	d := &reportServer{}
	d.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/reports/a/m" ||
			r.Header.Get("Authorization") != "Bearer "+canary.Mark {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		d.mutex.Lock()
		defer d.mutex.Unlock()
		d.got = append(d.got, string(body))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *reportServer) authority() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: d.Certificate().Raw}))
}

func (d *reportServer) options(authority string) bootscript.Options {
	return bootscript.Options{Reporting: &delivery.Reporting{
		Endpoint: d.URL, Authorities: authority, Data: "a/m", Credential: secret.FromString(canary.Mark),
	}}
}

// runReporting runs the program with curl or without it, and with a client configuration below the root.
func (r root) runReporting(t *testing.T, client string, steps []plan.SourcedStep, o bootscript.Options) {
	t.Helper()
	bin := filepath.Join(r.dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	programs := "sh mkdir tr sed tail awk cp cat rm mv chmod timeout base64 sha256sum sync "
	for _, name := range strings.Fields(programs + client) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	before := os.Getenv("PATH")
	t.Setenv("PATH", bin)
	defer t.Setenv("PATH", before)
	program := bytes.ReplaceAll(mustProgram(t, steps, o), []byte("/etc/machineadm"), []byte(r.dir+"/etc/machineadm"))
	shell, err := filepath.EvalSymlinks(filepath.Join(bin, "sh"))
	if err != nil {
		t.Fatal(err)
	}
	r.run(t, shell, program)
}

type bootstrapStatus struct {
	APIVersion, Kind, State string
	Failure                 *record
}

func (d *reportServer) reports(t *testing.T) []bootstrapStatus {
	t.Helper()
	var all []bootstrapStatus
	for _, body := range d.got {
		var one bootstrapStatus
		if err := json.Unmarshal([]byte(body), &one); err != nil || one.APIVersion != "machineadm.io/v1alpha1" ||
			one.Kind != "BootstrapStatus" {
			t.Errorf("%v: %s", err, body)
		}
		all = append(all, one)
	}
	return all
}

func TestMachineReports(t *testing.T) {
	for _, client := range []string{"curl", "wget"} {
		t.Run(client, func(t *testing.T) {
			d, r := newReportServer(t), newRoot(t)
			r.runReporting(t, client, []plan.SourcedStep{command(document.PhasePre, "spec.a",
				"echo 'it \"is\" \\broken\t%s'; exit 3")}, d.options(d.authority()))
			got := d.reports(t)
			if len(got) != 1 || got[0].State != "Failed" || got[0].Failure == nil || *got[0].Failure != r.record(t) ||
				got[0].Failure.ExitCode != 3 {
				t.Errorf("reported %+v", got)
			}
			d, r = newReportServer(t), newRoot(t)
			r.runReporting(t, client, nil, d.options(d.authority()))
			if got := d.reports(t); len(got) != 1 || got[0].State != "Succeeded" || got[0].Failure != nil {
				t.Errorf("reported %+v", got)
			}
			if !r.exists(bootscript.Sentinel) || r.exists(delivery.ReportPath) {
				t.Error("the credential has to go once all went well")
			}
		})
	}
}

// TestFailedReportsAreIgnored makes the endpoint fail in several ways. The record and the sentinel stay the same.
func TestFailedReportsAreIgnored(t *testing.T) {
	gone := newReportServer(t)
	authority := gone.authority()
	gone.Close()
	live := newReportServer(t)
	for reason, o := range map[string]bootscript.Options{
		"no server listens": gone.options(authority), "the machine does not trust it": live.options(""),
	} {
		for _, client := range []string{"curl", "wget", ""} {
			t.Run(reason+", "+client, func(t *testing.T) {
				r := newRoot(t)
				r.runReporting(t, client, []plan.SourcedStep{command(document.PhasePre, "spec.a", "exit 3")}, o)
				if rec := r.record(t); rec.ExitCode != 3 || r.exists(bootscript.Sentinel) {
					t.Errorf("record %+v", rec)
				}
				r = newRoot(t)
				r.runReporting(t, client, nil, o)
				if !r.exists(bootscript.Sentinel) || r.exists(bootscript.FailureRecord) {
					t.Error("no sentinel, or a record")
				}
			})
		}
	}
	if len(live.got) != 0 {
		t.Error("a credential was sent to a server that the machine does not trust")
	}
}

func TestTheAgentsReportIsTheLast(t *testing.T) {
	d, r := newReportServer(t), newRoot(t)
	r.runReporting(t, "curl", []plan.SourcedStep{command(document.PhasePre, "spec.a", ": >"+bootscript.Reported+
		"; exit 3")}, d.options(d.authority()))
	if len(d.got) != 0 {
		t.Errorf("reported again: %v", d.got)
	}
}

func TestTheReportsFileIsForRootAlone(t *testing.T) {
	d, r := newReportServer(t), newRoot(t)
	d.Close()
	r.runReporting(t, "curl", []plan.SourcedStep{command(document.PhasePre, "spec.a", "exit 3")}, d.options(d.authority()))
	info, err := os.Stat(r.dir + delivery.ReportPath)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	data, err := os.ReadFile(r.dir + delivery.ReportPath)
	if want := d.URL + "/reports/a/m\n" + canary.Mark + "\n" + d.authority(); err != nil || string(data) != want {
		t.Errorf("%v: %q", err, data)
	}
}

func TestFetchTrustsItsAuthorityAlone(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, "agent")
	}))
	defer server.Close()
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	sum := sha256.Sum256([]byte("agent"))
	for _, client := range []string{"curl", "wget"} {
		for given, want := range map[string]string{authority: "agent", otherAuthority(t): "", "": ""} {
			r := newRoot(t)
			path := r.dir + "/opt/agent"
			fetch := action.FetchFile{
				Path: path, URL: server.URL + "/agent?a=b", SHA256: hex.EncodeToString(sum[:]),
				Mode: 0o755, Authorities: given,
			}
			r.runReporting(t, client, []plan.SourcedStep{step("spec.a", fetch)}, bootscript.Options{})
			if data, _ := os.ReadFile(path); string(data) != want {
				t.Errorf("%s, an authority %v: %q", client, given != "", data)
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || want != "" && len(left) != 1 {
				t.Errorf("left: %v, %v", left, err)
			}
		}
	}
}

// otherAuthority returns the certificate of an unrelated authority.
func otherAuthority(t *testing.T) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true}
	raw, err := x509.CreateCertificate(nil, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}))
}

// TestTheCredentialIsNoArgument wraps the upload program to record its arguments.
func TestTheCredentialIsNoArgument(t *testing.T) {
	for _, client := range []string{"curl", "wget"} {
		t.Run(client, func(t *testing.T) {
			path, err := exec.LookPath(client)
			if err != nil {
				t.Fatal(err)
			}
			d, r, dir := newReportServer(t), newRoot(t), t.TempDir()
			witness := "#!/bin/sh\n{ printf '%s\\n' \"$@\";tr '\\0' '\\n' </proc/$$/environ; } >" + dir + "/seen\nexec " +
				path + " \"$@\"\n"
			if err := os.WriteFile(filepath.Join(dir, client), []byte(witness), 0o755); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			r.runReporting(t, client, nil, d.options(d.authority()))
			if got := d.reports(t); len(got) != 1 || got[0].State != "Succeeded" {
				t.Fatalf("reported %+v", got)
			}
			seen, err := os.ReadFile(filepath.Join(dir, "seen"))
			if err != nil || !strings.Contains(string(seen), "/reports/a/m") {
				t.Errorf("the witness saw nothing: %v", err)
			}
			canary.Check(t, "arguments or the environment", string(seen))
		})
	}
}
