package controlplane

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// auditPolicy records each request once, when its response is complete. A watch's is complete when it ends.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
`

// Request is one request of the audit log.
type Request struct {
	User        string
	Verb        string
	Resource    string
	Subresource string
	Namespace   string
	Name        string
	// Code is the HTTP status of the response.
	Code int
}

// event is what Request needs of an audit event of audit.k8s.io/v1.
type event struct {
	Verb string `json:"verb"`
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
}

// Requests reads the audit log from the given offset and returns the offset of its end. A line that is still being
// written is left to the next call. It is an error if the log is shorter than the offset.
func (c *ControlPlane) Requests(offset int64) ([]Request, int64, error) {
	f, err := os.Open(c.AuditLog)
	if err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	if info.Size() < offset {
		return nil, offset, fmt.Errorf("read audit log: it has %d bytes and had %d: kube-apiserver began a new file",
			info.Size(), offset)
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	var requests []Request
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return requests, offset, nil
		}
		if err != nil {
			return nil, offset, fmt.Errorf("read audit log: %w", err)
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, offset, fmt.Errorf("read audit log: %w", err)
		}
		offset += int64(len(line))
		requests = append(requests, Request{
			User: e.User.Username, Verb: e.Verb, Resource: e.ObjectRef.Resource, Subresource: e.ObjectRef.Subresource,
			Namespace: e.ObjectRef.Namespace, Name: e.ObjectRef.Name, Code: e.ResponseStatus.Code,
		})
	}
}
