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

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
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
	err := place.Call(ctx, d.config.Directory, "observe", func(base *place.Directory) error {
		p := base.Place(target)
		var err error
		observed, err = p.Observe(claimID, func() (ports.HostObservation, error) { return observe(p, claimID) })
		return err
	})
	return observed, err
}

// observe returns the observation of a machine that was started.
func observe(p *place.Place, id string) (ports.HostObservation, error) {
	m := &machine{}
	if err := json.Unmarshal([]byte(p.Read(host.MaxOutput, id, machineFile)), m); err != nil {
		return ports.HostObservation{}, err
	}
	running, err := supervisorOf(p, id)
	if err != nil {
		return ports.HostObservation{}, err
	}
	o := ports.HostObservation{Hostname: m.Hostname, Addresses: m.ips()}
	o.Phase, o.Failure, err = result(p, id, running != 0)
	if err == nil && running != 0 {
		o.ProviderID, err = m.providerID()
	}
	return o, err
}

// supervisorOf returns the supervisor of the machine, or 0 if there is none.
func supervisorOf(p *place.Place, id string) (int, error) {
	f, err := p.Base.OpenFile(p.In(id, lockFile), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	return holder(f)
}

// result returns the phase of a started machine, with the failure. An error is not a phase: phases are final.
func result(p *place.Place, id string, running bool) (host.Phase, string, error) {
	layer, err := p.Base.OpenRoot(p.In(id, upperDirectory))
	if err != nil {
		return host.PhaseInterrupted, "", place.IgnoreMissing(err)
	}
	defer func() { _ = layer.Close() }()
	_, err = layer.Lstat(resumeUnit)
	resumes, unknown := err == nil, place.IgnoreMissing(err)
	failure := failureOf(p, id)
	if failure == nil && !resumes {
		failure = unconfirmed(layer)
	}
	rebooted, err := p.Exists(id, rebootedFile)
	unknown = errors.Join(unknown, err)
	// The data may have ended with success since the failure was read, so this comes last.
	succeeded, err := p.Exists(id, runDirectory, sentinelFile)
	unknown = errors.Join(unknown, err)
	switch {
	case succeeded:
		return host.PhaseSucceeded, "", nil
	case unknown != nil:
		return "", "", unknown
	case failure != nil:
		return host.PhaseFailed, failure.Line(), nil
	case running && (resumes || !rebooted):
		return host.PhaseRunning, "", nil
	default:
		return host.PhaseInterrupted, "", nil
	}
}

// failureOf returns the recorded failure of the bootstrap, or that of the start, or nil if there is none.
func failureOf(p *place.Place, id string) *host.BootFailure {
	if run, err := p.Base.OpenRoot(p.In(id, runDirectory)); err == nil {
		defer func() { _ = run.Close() }()
		if record := place.ReadStart(run, recordFile, host.MaxOutput); record != "" {
			return parseRecord(record)
		}
	}
	if text := p.Read(host.MaxFailure, id, failureFile); text != "" {
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

// unconfirmed returns the failure of data that ended without a record and without the sentinel, or nil if the data has
// not ended. The machine can replace files by links, which are not followed out of its layer.
func unconfirmed(layer *os.Root) *host.BootFailure {
	status := strings.TrimSpace(place.ReadStart(layer, resultFile, 64))
	_, err := layer.Lstat(cloudResultFile)
	switch code, invalid := strconv.Atoi(status); {
	case status == "0" || status == "" && err == nil:
		return &host.BootFailure{Cause: host.CauseUnconfirmed}
	case status == "":
		return nil
	case invalid != nil:
		return &host.BootFailure{Cause: "a signal ended the data: " + status}
	default:
		return &host.BootFailure{ExitCode: code, Log: place.ReadEnd(layer, logFile, host.MaxFailure)}
	}
}

// providerID returns the provider ID with which the machine's kubelet runs, or an empty string if it does not run.
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

// child returns the only child of the supervisor, or 0 if there is none.
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
	for line := range strings.Lines(place.ReadStart(root, "var/lib/kubelet/config.yaml", host.MaxOutput)) {
		if value, found := strings.CutPrefix(line, "providerID:"); found {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
