package upload_test

import (
	"bytes"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/adapters/upload"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/test/canary"
)

// reportServer is an endpoint with configured responses that records reports.
type reportServer struct {
	*httptest.Server
	mutex  sync.Mutex
	codes  []int
	states []status.State
	sizes  []int
	// gate blocks responses until it is closed; nil does not block.
	gate chan struct{}
}

func newReportServer(t *testing.T, codes ...int) *reportServer {
	t.Helper()
	d := &reportServer{codes: codes}
	d.Server = httptest.NewTLSServer(http.HandlerFunc(d.take))
	d.Config.ErrorLog = nil
	t.Cleanup(d.Close)
	return d
}

func (d *reportServer) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if d.gate != nil {
		<-d.gate
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s, unread := record.Codec{}.ReadStatus(body)
	if err != nil || unread != nil || r.Header.Get("Authorization") != "Bearer "+canary.Mark {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	d.states, d.sizes = append(d.states, s.State), append(d.sizes, len(body))
	code := http.StatusNoContent
	if len(d.codes) > 0 {
		code, d.codes = d.codes[0], d.codes[1:]
	}
	w.WriteHeader(code)
}

func (d *reportServer) got() []status.State {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.states
}

type machine struct {
	*upload.Reporter
	dir string
	log *bytes.Buffer
}

// reporter returns a reporter whose machine has a report file with the text; no file if the text is empty.
func reporter(t *testing.T, text string) machine {
	t.Helper()
	m := machine{dir: t.TempDir(), log: &bytes.Buffer{}}
	if text != "" {
		if err := os.WriteFile(filepath.Join(m.dir, "report"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.Reporter = upload.New(upload.Options{
		Path: filepath.Join(m.dir, "report"), Marker: filepath.Join(m.dir, "reported"),
		Encode: record.Codec{}.WriteStatus, Log: m.log,
	})
	return m
}

func (d *reportServer) file(trusted bool) string {
	text := d.URL + "/reports/a/m\n" + canary.Mark + "\n"
	if trusted {
		text += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: d.Certificate().Raw}))
	}
	return text
}

func (m machine) marked() bool {
	_, err := os.Stat(filepath.Join(m.dir, "reported"))
	return err == nil
}

func (m machine) report(t *testing.T, states ...status.State) {
	t.Helper()
	for _, state := range states {
		s := status.Status{State: state}
		if state == status.StateFailed {
			s.Failure = &status.Failure{Cause: "x"}
		}
		if err := m.Report(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
}

func TestFinalReportIsSent(t *testing.T) {
	cases := map[string]struct {
		reason string
		codes  []int
		states []status.State
		last   status.State
		marked bool
	}{
		"success": {
			reason: "all went well", states: []status.State{"Running", "Running", "Succeeded"},
			last: "Succeeded", marked: true,
		},
		"failure": {reason: "something failed", states: []status.State{"Failed"}, last: "Failed", marked: true},
		"no end":  {reason: "some phases were carried out", states: []status.State{"Prepared"}, last: "Prepared"},
		"busy": {
			reason: "it is reported again", codes: []int{503, 429}, states: []status.State{"Failed"},
			last: "Failed", marked: true,
		},
		"refused": {
			reason: "there is no use in telling again", codes: []int{401}, states: []status.State{"Failed"},
			last: "Failed",
		},
		"known": {
			reason: "an earlier answer was lost", codes: []int{401}, states: []status.State{"Succeeded"},
			last: "Succeeded",
		},
		"elsewhere": {
			reason: "the credential follows no redirect", codes: []int{307}, states: []status.State{"Failed"},
			last: "Failed",
		},
		"nothing to report": {reason: "the machine was complete before"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newReportServer(t, c.codes...)
			m := reporter(t, d.file(true))
			m.report(t, c.states...)
			m.Close()
			m.Close()
			got := d.got()
			if c.last == "" && len(got) > 0 || c.last != "" && (len(got) == 0 || got[len(got)-1] != c.last) ||
				m.marked() != c.marked {
				t.Errorf("%s: %v, marked %v, %s", c.reason, got, m.marked(), m.log)
			}
			if _, err := os.Stat(filepath.Join(m.dir, "report")); (err != nil) != (c.last == "Succeeded") {
				t.Errorf("%s: the credential goes after success: %v", c.reason, err)
			}
			if strings.Contains(m.log.String(), canary.Mark) {
				t.Errorf("the log contains the credential: %s", m.log)
			}
		})
	}
}

// TestReportsDoNotBlock reports to an endpoint that does not respond. If Report waited for the response, the test would
// not end.
func TestReportsDoNotBlock(t *testing.T) {
	d := newReportServer(t)
	d.gate = make(chan struct{})
	m := reporter(t, d.file(true))
	for range 100 {
		m.report(t, "Running")
	}
	m.report(t, "Succeeded")
	close(d.gate)
	m.Close()
	if got := d.got(); len(got) > 2 || got[len(got)-1] != "Succeeded" {
		t.Errorf("got %v", got)
	}
}

func TestWithoutAFileNothingIsReported(t *testing.T) {
	m := reporter(t, "")
	m.report(t, "Running", "Prepared")
	m.Close()
	if m.log.Len() > 0 || m.marked() {
		t.Errorf("it is no failure: %s", m.log)
	}
}

func TestWithoutAFileNothingIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		m := reporter(t, "")
		m.report(t, "Running", "Succeeded")
		m.Close()
		if waited := time.Since(began); waited != 0 {
			t.Errorf("the machine's bootstrap waits %s for no server", waited)
		}
	})
}

func TestErrorsAreLogged(t *testing.T) {
	d := newReportServer(t)
	astray := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "https://[?signature="+canary.Mark)
		w.WriteHeader(http.StatusFound)
	}))
	defer astray.Close()
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: astray.Certificate().Raw}))
	for reason, text := range map[string]string{
		"redirect": astray.URL + "/a\nb\n" + authority,
		"address, not shown": "https://u:" + canary.Mark + "@" + strings.TrimPrefix(d.URL, "https://") + "/a?b=" +
			canary.Mark + "\nb\n",
		"no address": "http://a\nb\n", "no credential": "https://a\n", "no certificate": d.file(false) + "junk",
		"not trusted": d.file(false),
	} {
		m := reporter(t, text)
		m.report(t, "Prepared")
		m.Close()
		if !strings.Contains(m.log.String(), "cannot report") || strings.Contains(m.log.String(), canary.Mark) {
			t.Errorf("%s: %q", reason, m.log)
		}
	}
	if len(d.got()) > 0 {
		t.Error("something was sent")
	}
}

func TestLongReportsAreShortened(t *testing.T) {
	d := newReportServer(t)
	for _, steps := range []int{200, 2000} {
		m := reporter(t, d.file(true))
		s := status.Status{State: status.StateSucceeded}
		for range steps {
			s.Steps = append(s.Steps, status.Step{
				Phase: document.PhaseFile, Document: strings.Repeat("d", 100),
				Action: strings.Repeat("a", 100), Outcome: status.OutcomeChanged,
			})
		}
		if err := m.Report(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		m.Close()
	}
	if len(d.sizes) != 2 || d.sizes[0] > 32<<10 || d.sizes[0] < 1000 || d.sizes[1] > 32<<10 {
		t.Errorf("sent %v bytes", d.sizes)
	}
}

func TestMarkerOfAnEarlierRunIsRemoved(t *testing.T) {
	m := reporter(t, "")
	if err := os.WriteFile(filepath.Join(m.dir, "reported"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m.report(t, "Running")
	m.Close()
	if m.marked() {
		t.Error("it belongs to this run")
	}
}
