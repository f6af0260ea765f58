//go:build linux

package namespace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The files in /run/cluster-api of the machine, and the unit with which the agent continues at the next boot.
const (
	sentinelFile = "bootstrap-success.complete"
	recordFile   = "bootstrap-failure.json"
	resumeUnit   = "etc/systemd/system/machineadm-resume.service"
	// cloudResultFile exists once cloud-init has ended.
	cloudResultFile = "var/lib/cloud/data/result.json"
)

// Observe reads the files of the machine, also while it does not run.
func (d *Driver) Observe(ctx context.Context, target ports.HostTarget, claimID string) (ports.HostObservation, error) {
	var observed ports.HostObservation
	err := d.call(ctx, "observe", func(base *directory) error {
		p := base.place(target)
		switch id := p.claim(); id {
		case claimID:
		case "":
			observed.Phase = host.PhaseReleased
			return nil
		default:
			return fault(host.FaultForeignClaim)
		}
		var err error
		if p.exists(claimID, releaseFile) {
			observed.Phase, err = p.observeRelease(claimID)
			return err
		}
		observed, err = p.observe(claimID)
		return err
	})
	return observed, err
}

// observeRelease returns the phase of a release. The caller of a release that ended without a result was killed.
func (p *place) observeRelease(id string) (host.Phase, error) {
	text := p.read(host.MaxFailure, id, releasedFile)
	switch {
	case p.busy():
		return host.PhaseReleasing, nil
	case text != "":
		return "", &ports.HostError{Fault: host.FaultReset, Err: errors.New(host.Line(text, host.MaxFailure))}
	default:
		return host.PhaseInterrupted, nil
	}
}

func (p *place) observe(id string) (ports.HostObservation, error) {
	if !p.exists(id, startedFile) {
		return ports.HostObservation{Phase: host.PhaseClaimed}, nil
	}
	m := &machine{}
	if err := json.Unmarshal([]byte(p.read(host.MaxOutput, id, machineFile)), m); err != nil {
		return ports.HostObservation{}, err
	}
	running, err := p.supervisor(id)
	if err != nil {
		return ports.HostObservation{}, err
	}
	o := ports.HostObservation{Hostname: m.Hostname, Addresses: m.ips()}
	o.Phase, o.Failure = p.result(id, running != 0)
	if running != 0 {
		o.ProviderID, err = m.providerID()
	}
	return o, err
}

// supervisor returns the supervisor of the machine; 0 if there is none.
func (p *place) supervisor(id string) (int, error) {
	f, err := p.base.OpenFile(p.in(id, lockFile), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	return holder(f)
}

// result returns the phase of a started machine, with the failure.
func (p *place) result(id string, running bool) (host.Phase, string) {
	layer, err := p.base.OpenRoot(p.in(id, upperDirectory))
	if err != nil {
		return host.PhaseInterrupted, ""
	}
	defer func() { _ = layer.Close() }()
	_, err = layer.Lstat(resumeUnit)
	resumes := err == nil
	failure := p.failure(id)
	if failure == nil && !resumes {
		failure = unconfirmed(layer)
	}
	switch {
	// The data may have ended with success since the failure was read, so this comes last.
	case p.exists(id, runDirectory, sentinelFile):
		return host.PhaseSucceeded, ""
	case failure != nil:
		return host.PhaseFailed, failure.Line()
	case running && (resumes || !p.exists(id, rebootedFile)):
		return host.PhaseRunning, ""
	default:
		return host.PhaseInterrupted, ""
	}
}

// failure returns the recorded failure of the bootstrap, or that of the start; nil if there is none.
func (p *place) failure(id string) *host.BootFailure {
	if run, err := p.base.OpenRoot(p.in(id, runDirectory)); err == nil {
		defer func() { _ = run.Close() }()
		if record := readStart(run, recordFile, host.MaxOutput); record != "" {
			return parseRecord(record)
		}
	}
	if text := p.read(host.MaxFailure, id, failureFile); text != "" {
		return &host.BootFailure{Cause: text}
	}
	return nil
}

// parseRecord returns a failure record. A record that is not JSON is a failure, too.
func parseRecord(record string) *host.BootFailure {
	f := &host.BootFailure{}
	if err := json.Unmarshal([]byte(record), f); err != nil {
		return &host.BootFailure{Cause: "the failure record is not JSON"}
	}
	return f
}

// unconfirmed returns the failure of data that ended without a record and without the sentinel; nil if the data has not
// ended. The machine can replace files by links, which are not followed out of its layer.
func unconfirmed(layer *os.Root) *host.BootFailure {
	status := strings.TrimSpace(readStart(layer, resultFile, 64))
	_, err := layer.Lstat(cloudResultFile)
	switch code, invalid := strconv.Atoi(status); {
	case status == "0" || status == "" && err == nil:
		return &host.BootFailure{Cause: host.CauseUnconfirmed}
	case status == "":
		return nil
	case invalid != nil:
		return &host.BootFailure{Cause: "a signal ended the data: " + status}
	default:
		return &host.BootFailure{ExitCode: code, Log: readEnd(layer, logFile, host.MaxFailure)}
	}
}

// providerID returns the provider ID with which the machine's kubelet runs; empty if it does not run.
func (m *machine) providerID() (string, error) {
	pids, err := m.processes()
	for _, pid := range pids {
		process := processPath(pid)
		comm, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil || strings.TrimSpace(string(comm)) != "kubelet" {
			continue
		}
		id := cmp.Or(argument(process, "--provider-id"), configuredProviderID(process))
		return host.Line(id, host.MaxHostname), nil
	}
	return "", err
}

func processPath(pid int) string { return filepath.Join("/proc", strconv.Itoa(pid)) }

// child returns the only child of the supervisor; 0 if there is none.
func child(supervisor int) int {
	tasks, _ := filepath.Glob(processPath(supervisor) + "/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				return pid
			}
		}
	}
	return 0
}

// argument returns the value of an argument of a process.
func argument(process, name string) string {
	text, _ := os.ReadFile(filepath.Join(process, "cmdline"))
	args := strings.Split(string(text), "\x00")
	for i, a := range args {
		if value, found := strings.CutPrefix(a, name+"="); found {
			return value
		}
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// configuredProviderID returns the provider ID of kubelet's configuration. The machine can replace files by links,
// which are not followed out of its root.
func configuredProviderID(process string) string {
	root, err := os.OpenRoot(filepath.Join(process, "root"))
	if err != nil {
		return ""
	}
	defer func() { _ = root.Close() }()
	for line := range strings.Lines(readStart(root, "var/lib/kubelet/config.yaml", host.MaxOutput)) {
		if value, found := strings.CutPrefix(line, "providerID:"); found {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
