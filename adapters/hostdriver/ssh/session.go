package ssh

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/response"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

//go:embed host.sh
var program string

// errNotSent means that a session could not start, so that the host did nothing.
var errNotSent = errors.New("the session did not start")

const (
	operationProbe = "probe"
	// readyToReceive is the line by which the host requests the data.
	readyToReceive = "send"
)

// request contains the values of a call.
type request struct {
	operation, claim string
	format           ports.HostFormat
	data             []byte
	sha256           string
	agents           []string
}

// lines returns the request as host.sh reads it. No value contains spaces.
func (r request) lines() string {
	var b strings.Builder
	for _, line := range [][2]string{
		{"operation", r.operation},
		{"id", r.claim},
		{"format", string(r.format)},
		{"sha256", r.sha256},
		{"agents", strings.Join(r.agents, ",")},
	} {
		if line[1] != "" {
			b.WriteString(line[0] + " " + line[1] + "\n")
		}
	}
	b.WriteString("end\n")
	return b.String()
}

// command returns the command of a session for a program of a length. dd reads the program byte by byte, because it
// must not read what follows.
func command(user string, length int) string {
	shell := fmt.Sprintf(`/bin/sh -c 'program=$(dd bs=1 count=%d 2>/dev/null); eval "$program"'`, length)
	if user == "root" {
		return shell
	}
	return "sudo -n " + shell
}

// run runs an operation on the host. If the context ends, it closes the connection: the library has no deadlines.
func (c *connection) run(ctx context.Context, user string, r request) (response.Response, error) {
	stop := context.AfterFunc(ctx, c.close)
	defer stop()
	session, err := c.client.NewSession()
	if err != nil {
		return response.Response{}, errors.Join(errNotSent, unreachable(ctx, "open a session", err))
	}
	defer func() { _ = session.Close() }()
	in, err := session.StdinPipe()
	if err != nil {
		return response.Response{}, unreachable(ctx, "open a session", err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		return response.Response{}, unreachable(ctx, "open a session", err)
	}
	text := script.StripShell(program)
	if err := session.Start(command(user, len(text))); err != nil {
		return response.Response{}, unreachable(ctx, "start a session", err)
	}
	// If the host ends the session early, its output explains why.
	_, _ = io.WriteString(in, text+r.lines())
	output, err := receive(in, out, r.data)
	if err != nil {
		return response.Response{}, unreachable(ctx, "read the response", err)
	}
	if len(output) > host.MaxOutput {
		return response.Response{}, fault(host.FaultResponse, "it has more than %d bytes", host.MaxOutput)
	}
	return ended(ctx, session.Wait(), user, output)
}

// receive returns the output of a session up to its limit, and sends the data if the host requests it.
func receive(in io.WriteCloser, out io.Reader, data []byte) ([]byte, error) {
	reader := bufio.NewReader(io.LimitReader(out, host.MaxOutput+1))
	request := readyToReceive + "\n"
	first, err := reader.Peek(len(request))
	if err == nil && string(first) == request {
		_, _ = reader.Discard(len(request))
		_, _ = in.Write(data)
	}
	_ = in.Close()
	return io.ReadAll(reader)
}

// ended returns the response of a session that ended with the error, or the fault that prevented it. A host that shuts
// down ends sessions with a signal, and so does one without memory.
func ended(ctx context.Context, err error, user string, output []byte) (response.Response, error) {
	var exit *ssh.ExitError
	switch {
	case err != nil && (!errors.As(err, &exit) || exit.Signal() != ""):
		return response.Response{}, unreachable(ctx, "end a session", err)
	case exit != nil && interrupted(exit.ExitStatus(), output):
		return response.Response{}, fault(host.FaultUnreachable, "the session ended before the response was complete")
	case len(output) > 0:
		return respond(output)
	case err == nil:
		return response.Response{}, fault(host.FaultUnsupported, "the command dd is missing")
	case user != "root":
		return response.Response{}, fault(host.FaultPrivileges,
			"sudo does not run /bin/sh for the user %q without a password", user)
	default:
		return response.Response{}, fault(host.FaultUnsupported, "/bin/sh does not run the program")
	}
}

// signalled is the largest exit code that does not mean the end by a signal. Shells add the number of the signal to it.
const signalled = 128

// interrupted reports whether a session ended before its response. Without a signal, what is there must have the syntax
// of responses: a shell that cannot start a process ends with another code, and so does a login shell that refuses.
func interrupted(code int, output []byte) bool {
	if bytes.HasSuffix(output, []byte(response.End)) {
		return false
	}
	_, err := response.Parse(append(bytes.Clone(output), response.End...))
	return code > signalled || code != 0 && len(output) > 0 && err == nil
}

// respond returns the parsed response, or the fault in it.
func respond(output []byte) (response.Response, error) {
	r, err := response.Parse(output)
	if err != nil {
		return response.Response{}, &ports.HostError{Fault: host.FaultResponse, Err: err}
	}
	return r, r.Failure()
}
