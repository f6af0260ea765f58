// Package response reads what a machine reports to a driver: lines of a name and a word, which host.sh of the ssh
// driver and report.sh of the qemu driver write. Nothing in it is trusted.
package response

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Response is the response of a host with the syntax of host.sh. Nothing in it is trusted.
type Response struct {
	fault  host.Fault
	phase  host.Phase
	detail string
	// code is the exit code of a run or a reset.
	code int
	// record is the failure record of a bootstrap, and log the end of the output of a run.
	record, log []byte
	// hostname, addresses, provider and os are the output of the commands in host.sh.
	hostname, addresses, provider, os string
	architecture                      string
	cpus                              int
	// memory and disk are in KiB.
	memory, disk int64
	// agent reports whether the host has an agent that the driver accepts.
	agent bool
}

// errResponse means that a response does not have the syntax of host.sh.
var errResponse = errors.New("the response is malformed")

// wordPattern matches the values in responses.
var wordPattern = regexp.MustCompile(`^[A-Za-z0-9+/=._-]*$`)

// End is the last line of a response.
const End = "end\n"

// Parse parses a response. The error contains none of its text.
func Parse(output []byte) (Response, error) {
	var r Response
	known := map[string]bool{}
	text, ended := strings.CutSuffix(string(output), End)
	if !ended || text != "" && !strings.HasSuffix(text, "\n") {
		return r, fmt.Errorf("%w: the last line is missing", errResponse)
	}
	for line := range strings.Lines(text) {
		name, word, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found || known[name] || !wordPattern.MatchString(word) {
			return Response{}, errResponse
		}
		known[name] = true
		if err := r.set(name, word); err != nil {
			return Response{}, errResponse
		}
	}
	return r, nil
}

// set sets the value with the name.
func (r *Response) set(name, word string) (err error) {
	switch name {
	case "fault":
		r.fault, err = oneOf(word, host.FaultUnreachable, host.FaultBusy, host.FaultDiskFull, host.FaultUnsupported,
			host.FaultForeignClaim, host.FaultNotClean, host.FaultReset, host.FaultData)
	case "phase":
		r.phase, err = oneOf(word, host.Phases()...)
	case "detail":
		r.detail = word
	case "code":
		r.code, err = strconv.Atoi(word)
	case "record":
		r.record, err = base64.StdEncoding.DecodeString(word)
	case "log":
		r.log, err = base64.StdEncoding.DecodeString(word)
	case "hostname":
		r.hostname, err = decode(word)
	case "addresses":
		r.addresses, err = decode(word)
	case "provider":
		r.provider, err = decode(word)
	case "os":
		r.os, err = decode(word)
	case "architecture":
		r.architecture = word
	case "agent":
		r.agent, err = strconv.ParseBool(word)
	case "cpus":
		r.cpus, err = strconv.Atoi(word)
	case "memory":
		r.memory, err = strconv.ParseInt(word, 10, 64)
	case "disk":
		r.disk, err = strconv.ParseInt(word, 10, 64)
	default:
		return errResponse
	}
	return err
}

func decode(word string) (string, error) {
	text, err := base64.StdEncoding.DecodeString(word)
	return string(text), err
}

func oneOf[T ~string](word string, known ...T) (T, error) {
	if !slices.Contains(known, T(word)) {
		return "", errResponse
	}
	return T(word), nil
}

func fault(f host.Fault, text string) error { return &ports.HostError{Fault: f, Err: errors.New(text)} }

// Failure returns the fault of a response, or nil if there is none.
func (r Response) Failure() error {
	switch {
	case r.fault == "":
		return nil
	case r.fault == host.FaultReset:
		return fault(r.fault, "exit code "+exitCode(r.detail)+"; the log is reset.log below /var/lib/machineadm-hosts")
	case r.detail != "":
		return fault(r.fault, details(r.detail))
	default:
		return &ports.HostError{Fault: r.fault}
	}
}

// exitCode returns the word if it is an exit code.
func exitCode(word string) string {
	if code, err := strconv.ParseUint(word, 10, 8); err == nil {
		return strconv.FormatUint(code, 10)
	}
	return "unknown"
}

// details explains the words that host.sh of the ssh driver adds to a fault. Other words are not repeated, because a
// host may send any.
func details(word string) string {
	switch word {
	case "kubelet":
		return "kubelet runs"
	case "sentinel":
		return "/run/cluster-api has the result of a bootstrap"
	case "kubernetes":
		return "/etc/kubernetes has files"
	case "etcd":
		return "/var/lib/etcd has files"
	case "state":
		return "/var/lib/machineadm has the state of a bootstrap"
	case "cni":
		return "/etc/cni/net.d or /var/lib/cni has files of an earlier cluster; remove them"
	case "links":
		return "a link of an earlier network plugin is not removed; restart the host"
	case "address":
		return "the virtual IP of an earlier control plane is not removed; restart the host"
	case "claim":
		return "the host cannot read its claim"
	case "data":
		return "a script without the agent succeeded, and nothing reverts its changes"
	case "agent":
		return "the agent machineadm is missing, or has another digest than the agents that the controller accepts"
	case "read-only":
		return "/var/lib is read-only"
	case "inodes":
		return "/var/lib has too few free inodes"
	case "systemd-run":
		return "systemd-run cannot start a unit"
	case "base64", "cut", "df", "env", "find", "flock", "grep", "head", "sed", "setsid", "sha256sum", "sync", "tail",
		"timeout", "tr":
		return "the command " + word + " is missing"
	default:
		return "the host gives no details"
	}
}
