// Package trust adds certificates to the system's trust store.
package trust

import (
	"bytes"
	"context"
	"encoding/pem"
	"path"
	"slices"
	"strconv"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands TrustedCAsConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind TrustedCAsConfig. It reads the container runtimes, because the runtime is restarted.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "trust", Kinds: []document.Kind{machine.KindTrustedCAs}, Reads: expand.RuntimeKinds()}
}

// Expand writes each certificate to the profile's directory and rebuilds the store in PhaseTrust, and restarts the
// container runtime, which has read the old store. A bundle becomes one file for each certificate, because
// update-ca-certificates(8) and c_rehash read only the first certificate of a file. Two certificates with the same file
// name, and a profile without a trust store, are error findings.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TrustedCAsConfig]("trust", e)
	if err != nil || len(c.CAs) == 0 {
		return nil, nil, err
	}
	if expand.IsWindows(e.Target) {
		actions, r := windows(c, e)
		return actions, r, nil
	}
	store, at := e.Target.Profile.Trust, e.Document.Source.Path
	if store.Directory == "" {
		return nil, report.Report{report.Errorf(at, "the trust store of %s is not known", e.Target.Profile.Name).
			To("write the files and run the command that the system needs")}, nil
	}
	operations, r := certificates(c, store, at)
	if r.HasErrors() {
		return nil, r, nil
	}
	if store.Command != "" {
		operations = append(operations, action.RunCommand{
			Name: "rebuild the trust store", Script: store.Command, When: document.PhaseTrust, Renew: renewal(e.Target.Profile),
		})
	}
	restart := expand.Restarted(expand.RuntimeUnit(e.Target, e.Others), machine.KindTrustedCAs)
	return append(action.During(document.PhaseTrust, operations...), action.Of(restart)...), nil, nil
}

// renewal returns the command that rebuilds the store once certificates are gone. That of Debian keeps the links to
// them unless it starts afresh (update-ca-certificates(8)).
func renewal(p osprofile.Profile) string {
	if p.Family == osprofile.FamilyDebian {
		return p.Trust.Command + " --fresh"
	}
	return p.Trust.Command
}

func certificates(c machine.TrustedCAsConfig, store osprofile.Trust, at report.Path) ([]action.Operation, report.Report,
) {
	var operations []action.Operation
	var r report.Report
	firsts := map[string]int{}
	at = at.Field("trustedCAs")
	for i, ca := range c.CAs {
		for name, content := range files(ca) {
			file := path.Join(store.Directory, name+store.Extension)
			if first, taken := firsts[file]; taken {
				r = append(r, report.Errorf(at.Index(i).Field("name"), "element %d already writes %s", first, file).
					To("give each of them a different name"))
			}
			firsts[file] = i
			operations = append(operations, expand.File(file, string(content)))
		}
	}
	return operations, r
}

// files yields the certificates and their files' names without extension: NAME, or NAME-1, NAME-2 and so on for a
// bundle. Each ends with a newline, because some systems only concatenate the files (vmware/photon SPECS/openssl:
// rehash_ca_certificates.sh).
func files(ca machine.TrustedCA) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		blocks := split(ca.PEM)
		if len(blocks) < 2 {
			yield(ca.Name, slices.Concat(bytes.TrimRight(ca.PEM, "\n"), []byte("\n")))
			return
		}
		for i, b := range blocks {
			if !yield(ca.Name+"-"+strconv.Itoa(i+1), pem.EncodeToMemory(b)) {
				return
			}
		}
	}
}

func split(bundle []byte) []*pem.Block {
	var blocks []*pem.Block
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		blocks = append(blocks, block)
	}
	return blocks
}
