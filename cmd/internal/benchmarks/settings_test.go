package benchmarks_test

import (
	"encoding/pem"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

// settings are a worker's documents without what Bottlerocket has no words for: users, files and commands. A cluster's CA is
// among them, as large as one usually is.
func settings() []document.Document {
	for _, d := range documents() {
		n, is := d.Value.(node.NodeConfig)
		if !is {
			continue
		}
		ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: make([]byte, 800)})
		n.Certificates = []node.CertificateFile{{Path: "ca.crt", Content: secret.New(ca)}}
		d.Value = n
		return []document.Document{d}
	}
	return nil
}
