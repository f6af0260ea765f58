package ssh

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

// response is the response of a host with the syntax of host.sh. Nothing in it is trusted.
type response struct {
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
}

// errResponse means that a response does not have the syntax of host.sh.
var errResponse = errors.New("the response is malformed")

// wordPattern matches the values in responses.
var wordPattern = regexp.MustCompile(`^[A-Za-z0-9+/=._-]*$`)

// parse parses a response. The error contains none of its text.
func parse(output []byte) (response, error) {
	var r response
	known := map[string]bool{}
	text, ended := strings.CutSuffix(string(output), "end\n")
	if !ended || text != "" && !strings.HasSuffix(text, "\n") {
		return r, fmt.Errorf("%w: the last line is missing", errResponse)
	}
	for line := range strings.Lines(text) {
		name, word, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found || known[name] || !wordPattern.MatchString(word) {
			return response{}, errResponse
		}
		known[name] = true
		if err := r.set(name, word); err != nil {
			return response{}, errResponse
		}
	}
	return r, nil
}

// set sets the value with the name.
func (r *response) set(name, word string) (err error) {
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

// failure returns the fault of a response.
func (r response) failure() error {
	switch {
	case r.fault == host.FaultReset:
		return fault(r.fault, "exit code %s; the log is reset.log below /var/lib/machineadm-hosts", exitCode(r.detail))
	case r.detail != "":
		return fault(r.fault, "%s", details(r.detail))
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
