package controlplane_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"

	"github.com/machineadm/machineadm/test/controlplane"
)

// TestAuditLogThatBeganAnew reads a log with the offset of a longer one, as after a rotation.
func TestAuditLogThatBeganAnew(t *testing.T) {
	g := NewWithT(t)
	const line = `{"verb":"get","user":{"username":"reader"},"responseStatus":{"code":200}}` + "\n"
	c := &controlplane.ControlPlane{AuditLog: filepath.Join(t.TempDir(), "audit.log")}
	g.Expect(os.WriteFile(c.AuditLog, []byte(line+line+`{"verb":`), 0o600)).To(Succeed())
	requests, offset, err := c.Requests(0)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(requests).To(HaveLen(2))
	requests, offset, err = c.Requests(offset)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(requests).To(BeEmpty())

	g.Expect(os.WriteFile(c.AuditLog, []byte(line), 0o600)).To(Succeed())
	_, _, err = c.Requests(offset)
	g.Expect(err).To(MatchError(ContainSubstring("kube-apiserver began a new file")))
}

// checkLargeAuditLog makes the audit log larger than kube-apiserver's default limit, and reads all of it. It empties
// the log afterwards, which is then searched for secrets.
func checkLargeAuditLog(t *testing.T, c *controlplane.ControlPlane) {
	t.Helper()
	g := NewWithT(t)
	_, offset, err := c.Requests(0)
	g.Expect(err).NotTo(HaveOccurred())
	http, err := rest.HTTPClientFor(c.Config)
	g.Expect(err).NotTo(HaveOccurred())
	const requests, bytes = 130, 900_000
	for range requests {
		response, err := http.Get(fmt.Sprintf("%s/version?%s", c.Config.Host, strings.Repeat("x", bytes)))
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(response.Body.Close()).To(Succeed())
	}
	found, end, err := c.Requests(offset)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(len(found)).To(BeNumerically(">=", requests))
	g.Expect(end).To(BeNumerically(">", offset+requests*bytes))
	g.Expect(os.Truncate(c.AuditLog, 0)).To(Succeed())
}
