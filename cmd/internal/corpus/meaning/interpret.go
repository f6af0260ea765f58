package meaning

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Interpret replaces idioms by what they mean, so that a setting and a command that has the same effect are the same.
func (m Machine) Interpret() {
	m.substituteKubeadm()
	m.references()
	m.taints()
	m.labels()
	m.sockets()
	m.ignitionMounts()
	m.patches()
	m.sudoers()
	m.staticPods()
}

// variables matches a variable of the environment in kubeadm's configuration.
var variables = regexp.MustCompile(`\$\{?(COREOS|AFTERBURN)_([A-Z0-9_]+)(%[^}]*)?\}?`)

// substituteKubeadm applies the commands that change the kubeadm provider's configuration on the machine, and removes
// them: envsubst with variables of the metadata service, and sed with a placeholder of the host name.
func (m Machine) substituteKubeadm() {
	for _, phase := range []Phase{Boot, Pre, Post} {
		var rest []string
		for _, c := range m.Commands[phase] {
			switch {
			case strings.HasPrefix(c, "envsubst < /etc/kubeadm.yml"):
				m.replaceKubeadm(environment)
			case strings.HasPrefix(c, `sed -i "s/@@HOSTNAME@@/$(`) && strings.HasSuffix(c, "/etc/kubeadm.yml"):
				m.replaceKubeadm(func(s string) string { return strings.ReplaceAll(s, "@@HOSTNAME@@", "<hostname>") })
			case c == "mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml", c == "cp /etc/kubeadm.yml.tmp /etc/kubeadm.yml":
			default:
				rest = append(rest, environment(c))
			}
		}
		m.Commands[phase] = rest
	}
}

func (m Machine) replaceKubeadm(replace func(string) string) {
	for place, value := range m.Values {
		if strings.HasPrefix(place, "kubeadm.") {
			m.Values[place] = replace(value)
		}
	}
}

// environment replaces variables of the metadata service by the values of the machine.
func environment(text string) string {
	return variables.ReplaceAllStringFunc(text, func(found string) string {
		name := variables.FindStringSubmatch(found)[2]
		_, name, _ = strings.Cut(name, "_")
		values := map[string]string{
			"HOSTNAME": "<hostname>", "INSTANCE_ID": "<instanceID>", "INSTANCE_UUID": "<instanceID>",
			"IPV4_LOCAL": "<privateIPv4>", "PRIVATE_IPV4_0": "<privateIPv4>", "PRIVATE_IPV4": "<privateIPv4>",
			"IPV4_PUBLIC": "<publicIPv4>", "INSTANCE_LABEL": "<hostname>",
		}
		if value, known := values[name]; known {
			return value
		}
		return "<" + strings.ToLower(name) + ">"
	})
}

// registrations returns the places of the registrations of nodes.
func (m Machine) registrations() []string {
	return []string{"kubeadm.InitConfiguration.nodeRegistration", "kubeadm.JoinConfiguration.nodeRegistration"}
}

// taints replaces the argument register-with-taints by taints.
func (m Machine) taints() {
	for _, at := range m.registrations() {
		argument := at + ".kubeletExtraArgs[register-with-taints]"
		for text := range strings.SplitSeq(m.Values[argument+".value"], ",") {
			taint, effect, found := strings.Cut(text, ":")
			key, value, _ := strings.Cut(taint, "=")
			if found {
				m.Values[at+".taints["+key+"].key"], m.Values[at+".taints["+key+"].effect"] = key, effect
				m.set(at+".taints["+key+"].value", value)
			}
		}
		delete(m.Values, argument+".name")
		delete(m.Values, argument+".value")
	}
}

// sockets returns the socket of the runtime in one form. kubelet's argument for it is the same setting.
func (m Machine) sockets() {
	for _, at := range m.registrations() {
		argument := at + ".kubeletExtraArgs[container-runtime-endpoint]"
		if value := m.Values[argument+".value"]; value != "" {
			m.Values[at+".criSocket"] = value
			delete(m.Values, argument+".name")
			delete(m.Values, argument+".value")
		}
		if value := m.Values[at+".criSocket"]; value != "" && !strings.HasPrefix(value, "npipe:") {
			value = strings.TrimPrefix(value, "unix://")
			m.Values[at+".criSocket"] = "unix://" + strings.Replace(value, "/var/run/", "/run/", 1)
		}
	}
}

// mountUnit matches the unit that the kubeadm provider writes for a mount in Ignition.
var mountUnit = regexp.MustCompile(`(?s)^\[Unit\]\nDescription = Mount .*\nWhat=(.*)\nWhere=(.*)\nOptions=(.*?)\n`)

// ignitionMounts replaces the kubeadm provider's units and file systems of Ignition by mounts and file systems.
func (m Machine) ignitionMounts() {
	for place, value := range maps.Clone(m.Values) {
		unit, isUnit := strings.CutSuffix(place, ".contents")
		if at := mountUnit.FindStringSubmatch(value); isUnit && at != nil {
			m.AddMount([]string{at[1], at[2], "", at[3], "", ""})
			delete(m.Values, place)
			delete(m.Values, unit+".enabled")
		}
		name, field, isFilesystem := strings.Cut(place, "].mount.")
		if device := m.Values[name+"].mount.device"]; isFilesystem && device != "" {
			if field == "wipeFilesystem" {
				field = "wipe"
			}
			if field != "device" {
				m.Values["filesystems["+device+"]."+field] = value
			}
		}
	}
	maps.DeleteFunc(m.Values, func(place, _ string) bool {
		name, _, _ := strings.Cut(place, "].")
		return strings.Contains(place, "].mount.") ||
			strings.HasPrefix(place, "filesystems[") && !strings.Contains(name, "/") && strings.HasSuffix(place, ".name")
	})
}

// labels splits the argument node-labels.
func (m Machine) labels() {
	for _, at := range m.registrations() {
		argument := at + ".kubeletExtraArgs[node-labels]"
		for text := range strings.SplitSeq(m.Values[argument+".value"], ",") {
			if key, value, found := strings.Cut(text, "="); found {
				m.Values[at+".labels["+key+"]"] = value
			}
		}
		delete(m.Values, argument+".name")
		delete(m.Values, argument+".value")
	}
}

// patchName matches the name of a patch of kubeadm: TARGET, a suffix, and a type.
var patchName = regexp.MustCompile(`^([a-z]+)([^+]*?)(?:\+(strategic|merge|json))?\.(?:json|yaml)$`)

// patches replaces the files of kubeadm's directory of patches by the patches in their order.
func (m Machine) patches() {
	for _, kind := range []string{"InitConfiguration", "JoinConfiguration"} {
		directory := m.Values["kubeadm."+kind+".patches.directory"]
		if directory == "" {
			continue
		}
		n := 0
		for _, place := range slices.Sorted(maps.Keys(m.Values)) {
			file, isContent := strings.CutSuffix(place, "].content")
			file = strings.TrimPrefix(file, "files[")
			at := patchName.FindStringSubmatch(path.Base(file))
			if !isContent || path.Dir(file) != path.Clean(directory) || at == nil {
				continue
			}
			var tree any
			if err := yaml.Unmarshal([]byte(m.Values[place]), &tree); err == nil {
				text, _ := json.Marshal(tree)
				if at[3] == "" {
					at[3] = "strategic"
				}
				m.Values[fmt.Sprintf("kubeadm.patches[%d %s %s]", n, at[1], at[3])] = string(text)
				n++
				m.removeFile(file)
			}
		}
		if n > 0 {
			delete(m.Values, "kubeadm."+kind+".patches.directory")
		}
	}
}

func (m Machine) removeFile(file string) {
	for _, field := range []string{"content", "mode", "owner", "append"} {
		delete(m.Values, "files["+file+"]."+field)
	}
}

// sudoers replaces the file that the kubeadm provider writes for a user of Ignition by the rule.
func (m Machine) sudoers() {
	for place, value := range maps.Clone(m.Values) {
		file, isContent := strings.CutSuffix(strings.TrimPrefix(place, "files["), "].content")
		user, isSudo := strings.CutPrefix(file, "/etc/sudoers.d/")
		rule, isRule := strings.CutPrefix(strings.TrimSpace(value), user+" ")
		if isContent && isSudo && isRule && !strings.Contains(rule, "\n") {
			m.Values["users["+user+"].sudo"] = rule
			m.removeFile(file)
		}
	}
}

// staticPods splits the manifest of kube-vip into its settings.
func (m Machine) staticPods() {
	const file = "/etc/kubernetes/manifests/kube-vip.yaml"
	var pod struct {
		Spec struct {
			Containers []struct {
				Env []struct{ Name, Value string }
			}
		}
	}
	if yaml.Unmarshal([]byte(m.Values["files["+file+"].content"]), &pod) != nil || len(pod.Spec.Containers) == 0 {
		return
	}
	m.removeFile(file)
	for _, e := range pod.Spec.Containers[0].Env {
		if e.Name == "vip_address" {
			e.Name = "address"
		}
		m.set("kubeVIP["+e.Name+"]", e.Value)
	}
}

// factFile matches what a converted command contains for a fact. The file's name has hyphens for the dots of a path.
var factFile = regexp.MustCompile(`\$\(cat /etc/machineadm-facts/([A-Za-z0-9_-]+)\)`)

// reopened matches a value in double quotes that interrupts a text in single quotes.
var reopened = regexp.MustCompile(`'"(<[^<>"]*>)"'`)

// own are the texts by which commands of either provider refer to what only their provider has.
func own() *strings.Replacer {
	return strings.NewReplacer(
		`[[ -f /etc/kubeadm.sh ]] && grep -q -e "kubeadm init" /etc/kubeadm.sh`, "[[ -f <init> ]]",
		"/run/kubeadm/kubeadm-join-config.yaml", "<join>", "/tmp/kubeadm-join-config.yaml", "<join>",
		"/run/kubeadm/kubeadm.yaml", "<init>", "/tmp/kubeadm.yaml", "<init>",
		"/run/machineadm-init", "<init>", "/run/machineadm-join", "<join>",
	)
}

// marking is the begin of the command by which a converted machine records whether it creates the cluster.
const marking = `if grep -q '"kind":"InitConfiguration"' /etc/machineadm/kubeadm.yaml; then touch`

// references replaces the texts of own, and removes what only serves them.
func (m Machine) references() {
	replace := func(text string) string {
		text = factFile.ReplaceAllStringFunc(own().Replace(text), func(found string) string {
			return Fact(strings.ReplaceAll(factFile.FindStringSubmatch(found)[1], "-", "."))
		})
		return reopened.ReplaceAllString(text, "$1")
	}
	for _, phase := range []Phase{Boot, Pre, Post} {
		var rest []string
		for _, c := range m.Commands[phase] {
			if c = replace(c); !strings.HasPrefix(c, marking) {
				rest = append(rest, c)
			}
		}
		m.Commands[phase] = rest
	}
	for place, value := range m.Values {
		if strings.HasPrefix(place, "files[/etc/machineadm-facts/") {
			delete(m.Values, place)
		} else if strings.HasPrefix(place, "files[") && strings.HasSuffix(place, "].content") {
			m.Values[place] = replace(value)
		}
	}
}
