package bottlerocket_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/hostile"
)

// arrivals and messages are how many hostile settings and messages of the day have to arrive; they only grow.
const (
	arrivals = 93
	messages = 67
)

func hostileTarget(t *testing.T) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup("bottlerocket")
	if !known {
		t.Fatal("no such profile")
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// TestHostileSettingsArrive reads the rendered settings of the hostile table and compares them with the documents.
func TestHostileSettingsArrive(t *testing.T) {
	target := hostileTarget(t)
	arrived := 0
	for _, c := range hostile.SettingCases(target) {
		data, rendered := render(t, target, c.Documents)
		if !rendered {
			continue
		}
		arrived++
		for table, fields := range wanted(c.Documents[0].Value) {
			for key, want := range fields {
				if diff := cmp.Diff(want, tables(t, data)[table][key]); diff != "" {
					t.Errorf("%s (%s): %s.%s (-want +got)\n%s", c.Name, c.Reason, table, key, diff)
				}
			}
		}
	}
	if arrived < arrivals {
		t.Errorf("%d settings arrive, at least %d have to", arrived, arrivals)
	}
}

// render renders a machine with the documents; false means that it is refused.
func render(t *testing.T, target osprofile.Target, docs []document.Document, snippets ...plan.Snippet) ([]byte, bool) {
	t.Helper()
	docs = slices.Clone(docs)
	for _, v := range portstest.Machine(target) {
		if !slices.ContainsFunc(docs, func(d document.Document) bool { return d.Kind() == v.Kind() }) {
			docs = append(docs, document.Document{Value: v, Source: document.Source{Path: "beside"}})
		}
	}
	for _, d := range docs {
		if d.Check().HasErrors() {
			return nil, false
		}
	}
	p := native(target, docs)
	p.Snippets = snippets
	rendering, findings, err := bottlerocket.Renderer{}.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return rendering.Payload.Data.Reveal(), !findings.HasErrors()
}

// tree are the settings by their tables.
type tree map[string]map[string]any

// tables decodes the settings with Bottlerocket's models and returns the decoded tables.
func tables(t *testing.T, data []byte) tree {
	t.Helper()
	if _, err := parse(data); err != nil {
		t.Errorf("%v\n%s", err, data)
	}
	var u struct{ Settings tree }
	if err := toml.Unmarshal(data, &u); err != nil {
		t.Fatal(err)
	}
	return u.Settings
}

// wanted returns the settings that the document contains.
func wanted(v document.Value) tree {
	encode := base64.StdEncoding.EncodeToString
	switch v := v.(type) {
	case node.NodeConfig:
		return tree{"kubernetes": wantedNode(v)}
	case node.StaticPod:
		return tree{"kubernetes": {"static-pods": map[string]any{v.Name: map[string]any{
			"enabled":  true,
			"manifest": encode(v.Manifest),
		}}}}
	case machine.HostConfig:
		return tree{"network": {"hostname": v.Hostname}}
	case machine.SysctlConfig:
		return tree{"kernel": {"sysctl": map[string]any{strings.TrimPrefix(v.Settings[0].Name, "-"): v.Settings[0].Value}}}
	case machine.TimeSyncConfig:
		return tree{"ntp": {"time-servers": list(v.Servers)}}
	case machine.TrustedCAsConfig:
		return tree{"pki": {v.CAs[0].Name: map[string]any{"trusted": true, "data": encode(v.CAs[0].PEM)}}}
	case machine.ProxyConfig:
		return wantedProxy(v)
	case machine.ContainerdConfig:
		return tree{"container-registry": wantedRegistry(v.Registries[0])}
	default:
		return nil
	}
}

// wantedNode returns all settings of the node; a node without labels of its own has the ordinary one's.
func wantedNode(n node.NodeConfig) map[string]any {
	labels, taints := map[string]any{}, map[string]any{}
	for _, l := range n.Registration.Labels {
		value, _ := l.Value.Static()
		labels[l.Key] = string(value)
	}
	for _, t := range n.Registration.Taints {
		taints[t.Key] = []any{t.Value + ":" + string(t.Effect)}
	}
	all := map[string]any{"node-labels": labels, "node-taints": taints}
	if name, _ := n.Registration.Name.Static(); len(name) > 0 {
		all["hostname-override"] = string(name)
	}
	for _, a := range n.Kubelet.Args {
		value, _ := a.Value.Static()
		all[a.Name] = string(value)
	}
	settings := map[string]string{
		"maxPods": "max-pods", "podPidsLimit": "pod-pids-limit", "seccompDefault": "seccomp-default",
		"evictionHard":   "eviction-hard",
		"systemReserved": "system-reserved", "allowedUnsafeSysctls": "allowed-unsafe-sysctls",
	}
	for field, value := range n.Kubelet.Config {
		if number, is := value.(float64); is {
			value = int64(number)
		}
		all[settings[field]] = value
	}
	return all
}

func wantedProxy(p machine.ProxyConfig) tree {
	network := map[string]any{"https-proxy": string(p.HTTPSProxy.Reveal())}
	if len(p.NoProxy) > 0 {
		network["no-proxy"] = list(p.NoProxy)
	}
	return tree{"network": network}
}

func wantedRegistry(r machine.Registry) map[string]any {
	host := strings.Replace(r.Host, "_default", "*", 1)
	if r.Auth != nil {
		return map[string]any{"credentials": []any{map[string]any{
			"registry": host, "username": r.Auth.Username, "password": string(r.Auth.Password.Reveal()),
		}}}
	}
	return map[string]any{"mirrors": []any{map[string]any{"registry": host, "endpoint": []any{r.Mirrors[0].URL}}}}
}

func list(words []string) []any {
	items := make([]any, len(words))
	for i, w := range words {
		items[i] = w
	}
	return items
}

// TestHostileMessagesArrive has each text of the hostile table as the message of the day, which people write in a
// snippet.
func TestHostileMessagesArrive(t *testing.T) {
	target := hostileTarget(t)
	arrived := 0
	for _, c := range hostile.Cases() {
		for path, content := range c.Files {
			text, err := toml.Marshal(map[string]any{"settings": map[string]any{"motd": string(content)}})
			if err != nil || !utf8.Valid(content) || !strings.HasPrefix(path, hostile.Dir+"/content/") {
				continue
			}
			data, rendered := render(t, target, nil, plan.Snippet{Snippet: delivery.Snippet{
				Format: delivery.FormatBottlerocket,
				Text:   string(text),
			}})
			if !rendered {
				t.Errorf("%s is refused", c.Name)
				continue
			}
			arrived++
			u, err := parse(data)
			if err != nil || *u.Settings.Motd != string(content) {
				t.Errorf("%s (%s): %v", c.Name, c.Reason, err)
			}
		}
	}
	if arrived < messages {
		t.Errorf("%d messages arrive, at least %d have to", arrived, messages)
	}
}
