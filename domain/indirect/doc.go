// Package indirect contains the documents that refer to other documents: RemoteConfig, which is fetched, and
// EncryptedConfig, which is decrypted. The agent replaces them by their content before it plans.
package indirect

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// The document kinds of this package.
const (
	KindRemote    document.Kind = "RemoteConfig"
	KindEncrypted document.Kind = "EncryptedConfig"
	KindIdentity  document.Kind = "MachineIdentity"
)

func required(p report.Path, value string) report.Report {
	if value != "" {
		return nil
	}
	return report.Report{report.Errorf(p, "is required")}
}

func only(p report.Path, value, want string) report.Report {
	if value == want {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not known", value).To("use %s", want)}
}
