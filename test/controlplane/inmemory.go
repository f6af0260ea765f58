package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/port"
	"github.com/machineadm/machineadm/test/programs"
)

// InMemory is the infrastructure provider of test/inmemory. It serves the kinds of the package standin. The workload
// clusters of its machines are in the memory of its process.
type InMemory struct{ *Process }

// StartInMemory installs the kinds, and builds and starts the provider.
func (c *ControlPlane) StartInMemory(ctx context.Context) (*InMemory, error) {
	objects, err := Decode(bytes.NewReader(standin.Manifests))
	if err != nil {
		return nil, err
	}
	if err := c.Apply(ctx, objects...); err != nil {
		return nil, err
	}
	if err := c.waitForKinds(objects); err != nil {
		return nil, err
	}
	return c.ServeInMemory(ctx)
}

// ServeInMemory builds and starts the provider, whose kinds are installed. It also serves the other management
// clusters: clusters that move between them keep their machines.
func (c *ControlPlane) ServeInMemory(ctx context.Context, others ...*ControlPlane) (*InMemory, error) {
	// kube-apiserver, which tests need as well, is built of the same packages with these settings.
	program, err := programs.BuildModule(ctx, "test/inmemory", "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	if err != nil {
		return nil, err
	}
	diagnostics, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	args := []string{"--diagnostics-address=" + diagnostics}
	for _, management := range append([]*ControlPlane{c}, others...) {
		kubeconfig := filepath.Join(management.Dir, "inmemory.kubeconfig")
		if err := management.WriteKubeconfig(kubeconfig); err != nil {
			return nil, err
		}
		args = append(args, "--kubeconfig="+kubeconfig)
	}
	process, err := StartProcess(ctx, c.unusedLog("inmemory"), program, args...)
	if err != nil {
		return nil, err
	}
	process.metrics = diagnostics
	return &InMemory{process}, process.waitFor(ctx, diagnostics)
}

// WorkloadRequest is a kind of request to workload clusters.
type WorkloadRequest struct {
	// Agent is the name of the manager that sent the request.
	Agent string
	// Verb is that of metrics, such as GET, LIST or CONNECT. A watch counts when it ends.
	Verb, Resource, Subresource string
}

var (
	requestLine = regexp.MustCompile(`^inmemory_apiserver_request_total\{(.*)\} ([0-9.e+]+)$`)
	labelPair   = regexp.MustCompile(`(\w+)="((?:[^"\\]|\\.)*)"`)
)

// Requests returns how many requests the workload clusters have received.
func (m *InMemory) Requests(ctx context.Context) (map[WorkloadRequest]int, error) {
	text, err := m.Metrics(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[WorkloadRequest]int{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		found := requestLine.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		labels := map[string]string{}
		for _, pair := range labelPair.FindAllStringSubmatch(found[1], -1) {
			labels[pair[1]] = pair[2]
		}
		n, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			return nil, fmt.Errorf("read metrics: %w", err)
		}
		counts[WorkloadRequest{
			Agent: sourceOf(labels["user_agent"]), Verb: labels["verb"], Resource: labels["resource"],
			Subresource: labels["subresource"],
		}] += int(n)
	}
	return counts, lines.Err()
}

// sourceOf returns the name of a manager, which is the second word of the user agents of Cluster API.
func sourceOf(agent string) string {
	words := strings.Fields(agent)
	if len(words) < 2 {
		return agent
	}
	return words[1]
}

// metricsTimeout limits the time in which a process must return its metrics.
const metricsTimeout = time.Minute

// Metrics returns the metrics of a process that serves them.
func (p *Process) Metrics(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, metricsTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.metrics+"/metrics", nil)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	return text, nil
}

// clockTicks is the number of units in a second in /proc (USER_HZ, which is 100 on all architectures that Go supports).
const clockTicks = 100

// CPU returns the processor time that a running process has used.
func (p *Process) CPU() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID()))
	if err != nil {
		return 0, fmt.Errorf("read the processor time: %w", err)
	}
	// The name of the program can contain spaces. It ends with the last parenthesis (proc_pid_stat(5)).
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / clockTicks, nil
}
