// Package machineadm renders converted manifests with this project's programs, and returns their meaning.
package machineadm

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/cmd/internal/corpus/meaning"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// meaningFormat is a format in which nothing is native: its output is the meaning of the plan.
const meaningFormat delivery.Format = "meaning"

// renderer renders meaningFormat.
type renderer struct{}

var _ ports.UniversalRenderer = renderer{}

// Format returns meaningFormat.
func (renderer) Format() delivery.Format { return meaningFormat }

// Native returns false, so that the plan has steps for every document.
func (renderer) Native(document.Document, osprofile.Target) bool { return false }

// Supports returns no findings.
func (renderer) Supports(osprofile.Target, report.Path) report.Report { return nil }

// Render returns the meaning as JSON.
func (renderer) Render(_ context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	m := meaning.New()
	added := meaning.New()
	for _, s := range p.Steps {
		to := m
		if !fromUser(p.Documents[s.Document]) {
			to = added
		}
		if err := addStep(to, p.Documents[s.Document], s.Do); err != nil {
			return ports.Rendering{}, nil, err
		}
	}
	for _, d := range p.Documents {
		if err := addSettings(m, d); err != nil {
			return ports.Rendering{}, nil, err
		}
	}
	m.AddMissing(added)
	text, err := json.Marshal(m)
	places := make([]string, len(p.Steps))
	return ports.Rendering{
		Payload: delivery.Payload{Format: meaningFormat, Data: secret.New(text), FileExtension: ".json"}, Places: places,
	}, nil, err
}

// instance returns the value of a fact on the machine of the comparison.
func instance(f document.Fact) string {
	return meaning.Fact(string(f))
}

// fromUser reports whether the document's operations are settings that the kubeadm provider has, too. Those of others,
// such as time servers, depend on the operating system.
func fromUser(d document.Document) bool {
	switch d.Value.(type) {
	case machine.File, machine.User, machine.Unit, machine.Command, node.NodeConfig, node.ControlPlaneConfig:
		return true
	default:
		return false
	}
}

// windowsConfigPath is the path of kubeadm's configuration on Windows.
const windowsConfigPath = `C:\ProgramData\machineadm\kubeadm.yaml`

// addStep adds an operation.
func addStep(m meaning.Machine, d document.Document, do action.Operation) error {
	switch o := do.(type) { //nolint:gochecksumtype // addSettings adds what other operations apply
	case action.WriteFile:
		content := string(o.Content.Resolve(instance))
		if o.Path == kubeadm.ConfigPath || o.Path == windowsConfigPath {
			return m.AddKubeadmJSON(content)
		}
		m.AddFile(meaning.File{
			Path: o.Path, Content: content, Mode: strconv.FormatUint(uint64(o.Mode), 8),
			Owner: o.Owner.User + ":" + o.Owner.Group, Append: o.Append,
		})
	case action.EnsureUser:
		addUser(m, o.User)
	case action.EnsureUnit:
		unit := meaning.Unit{
			Name: o.Name, Contents: string(o.Content.Resolve(instance)), Enabled: o.Enabled, Mask: o.Masked,
		}
		for _, drop := range o.DropIns {
			unit.DropIns = append(unit.DropIns, [2]string{drop.Name, string(drop.Content.Resolve(instance))})
		}
		m.AddUnit(unit)
	case action.RunCommand:
		c, found := d.Value.(machine.Command)
		if !found {
			return nil
		}
		phase := map[document.Phase]meaning.Phase{
			document.PhaseBoot: meaning.Boot, document.PhasePre: meaning.Pre, document.PhasePost: meaning.Post,
		}[c.Phase]
		m.Commands[phase] = append(m.Commands[phase], c.Script)
	}
	return nil
}

func addUser(m meaning.Machine, u machine.User) {
	place := "users[" + u.Name + "]"
	for field, value := range map[string]string{
		"gecos": u.Comment, "homeDir": u.Home, "shell": u.Shell, "passwordHash": string(u.PasswordHash.Reveal()),
		"primaryGroup": u.PrimaryGroup, "sudo": u.Sudo,
	} {
		if value != "" {
			m.Values[place+"."+field] = value
		}
	}
	if u.Inactive {
		m.Values[place+".inactive"] = "true"
	}
	if u.Unlocked {
		m.Values[place+".locked"] = "false"
	}
	m.AddGroups(place, u.Groups)
	for i, key := range u.SSHAuthorizedKeys {
		m.Values[place+".sshAuthorizedKeys["+strconv.Itoa(i)+"]"] = key
	}
}

// addSettings adds documents whose operations depend on the system: storage and time.
func addSettings(m meaning.Machine, d document.Document) error {
	var place string
	switch v := d.Value.(type) {
	case node.NodeConfig:
		if v.Verbosity > 0 {
			m.Values["kubeadm.verbosity"] = strconv.Itoa(v.Verbosity)
		}
		return nil
	case machine.Disk:
		place = "disks[" + v.Device + "]"
	case machine.Filesystem:
		place = "filesystems[" + v.Device + "]"
	case machine.Mount:
		m.AddMount([]string{v.Source, v.Path, v.Type, strings.Join(v.Options, ","), "", ""})
		return nil
	case machine.TimeSyncConfig:
		for _, s := range v.Servers {
			if !v.Disabled() {
				m.Values["ntp.servers["+s+"]"] = "true"
			}
		}
		return nil
	default:
		return nil
	}
	text, err := codec.Codec{}.Encode([]document.Document{d})
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return err
	}
	spec, _ := tree["spec"].(map[string]any)
	delete(spec, "device")
	m.AddTree(place, spec)
	return nil
}
