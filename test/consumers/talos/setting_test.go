package talos_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/hostile"
)

// minimumSettings is how many of the hostile settings have to arrive; it only grows.
const minimumSettings = 118

// TestHostileSettingsArrive has Talos's library read the settings of the hostile table, and holds them against the
// documents.
func TestHostileSettingsArrive(t *testing.T) {
	arrived := 0
	for _, c := range hostile.SettingCases(hostileTarget(t)) {
		if c.Refused {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			rendering := render(t, c.Documents)
			if rendering.Payload.Data.IsZero() {
				return
			}
			arrived++
			provider := taken(t, rendering.Payload.Data.Reveal())
			if diff := cmp.Diff(wanted(t, c.Documents[0].Value), heard(t, provider, c.Documents[0].Value)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.Reason, diff)
			}
		})
	}
	if arrived < minimumSettings {
		t.Errorf("%d settings arrive, at least %d have to", arrived, minimumSettings)
	}
}

// words are a machine's settings: names and values.
type words map[string]any

// wanted returns the document's settings.
func wanted(t *testing.T, v document.Value) words {
	t.Helper()
	switch v := v.(type) {
	case node.NodeConfig:
		return wantedNode(v)
	case node.StaticPod:
		return words{"pod": tree(t, v.Manifest)}
	case machine.HostConfig:
		return words{"hostname": v.Hostname}
	case machine.SysctlConfig:
		return words{v.Settings[0].Name: v.Settings[0].Value}
	case machine.TimeSyncConfig:
		return words{"servers": v.Servers}
	case machine.TrustedCAsConfig:
		// The library puts the name above.
		heading := v.CAs[0].Name + ":"
		return words{"roots": "\n" + heading + "\n" + strings.Repeat("=", len(heading)) + "\n" + string(v.CAs[0].PEM)}
	case machine.ProxyConfig:
		w := words{"https_proxy": string(v.HTTPSProxy.Reveal())}
		if len(v.NoProxy) > 0 {
			w["no_proxy"] = strings.Join(v.NoProxy, ",")
		}
		return w
	case machine.ContainerdConfig:
		return wantedRegistry(v.Registries[0])
	default:
		return nil
	}
}

func wantedNode(n node.NodeConfig) words {
	w := words{}
	for _, l := range n.Registration.Labels {
		value, _ := l.Value.Static()
		w["label "+l.Key] = string(value)
	}
	if name, _ := n.Registration.Name.Static(); len(name) > 0 {
		w["hostname"] = string(name)
	}
	for _, a := range n.Kubelet.Args {
		value, _ := a.Value.Static()
		w["argument "+a.Name] = string(value)
	}
	for field, value := range n.Kubelet.Config {
		w["field "+field] = whole(value)
	}
	var taints []any
	for _, t := range n.Registration.Taints {
		taint := map[string]any{"key": t.Key, "effect": string(t.Effect)}
		if t.Value != "" {
			taint["value"] = t.Value
		}
		taints = append(taints, taint)
	}
	w["field registerWithTaints"] = taints
	return w
}

// whole returns a number as the one of the types in which it may be read.
func whole(value any) any {
	switch v := value.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	default:
		return value
	}
}

func wantedRegistry(r machine.Registry) words {
	if r.Auth != nil {
		return words{r.Host: []string{r.Auth.Username, string(r.Auth.Password.Reveal())}}
	}
	return words{strings.Replace(r.Host, "_default", "*", 1): []string{r.Mirrors[0].URL}}
}

// heard returns what the library reads of such a document.
func heard(t *testing.T, p config.Provider, v document.Value) words {
	t.Helper()
	w := words{}
	switch v.(type) {
	case node.NodeConfig:
		return heardNode(p)
	case node.StaticPod:
		w["pod"] = p.Machine().Pods()[0]
	case machine.HostConfig:
		w["hostname"] = p.NetworkHostnameConfig().Hostname()
	case machine.SysctlConfig:
		for name, value := range p.Machine().Sysctls() {
			w[name] = value
		}
	case machine.TimeSyncConfig:
		w["servers"] = p.NetworkTimeSyncConfig().Servers()
	case machine.TrustedCAsConfig:
		w["roots"] = strings.Join(p.TrustedRoots().ExtraTrustedRootCertificates(), "")
	case machine.ProxyConfig:
		for name, value := range p.Environment().Variables() {
			w[name] = value
		}
	case machine.ContainerdConfig:
		for host, auth := range p.RegistryAuthConfigs() {
			w[host] = []string{auth.Username(), auth.Password()}
		}
		for host, mirror := range p.RegistryMirrorConfigs() {
			for _, e := range mirror.Endpoints() {
				w[host] = []string{e.Endpoint()}
			}
		}
	}
	return w
}

func heardNode(p config.Provider) words {
	w := words{}
	for key, value := range p.Machine().NodeLabels() {
		w["label "+key] = value
	}
	if name := p.NetworkHostnameConfig().Hostname(); name != "" {
		w["hostname"] = name
	}
	for name, values := range p.Machine().Kubelet().ExtraArgs() {
		w["argument "+name] = strings.Join(values, " ")
	}
	for field, value := range p.Machine().Kubelet().ExtraConfig() {
		w["field "+field] = whole(value)
	}
	return w
}

// tree returns a manifest as the mapping that it is.
func tree(t *testing.T, manifest []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal(manifest, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
