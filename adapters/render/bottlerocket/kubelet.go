package bottlerocket

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// kubeletFields maps fields of a KubeletConfiguration to settings.
// Source: core-kit packages/kubernetes-*/kubelet-config, the template that makes the one of the other.
func kubeletFields() map[string]string {
	return map[string]string{
		"allowedUnsafeSysctls":            "allowed-unsafe-sysctls",
		"clusterDNS":                      "cluster-dns-ip",
		"clusterDomain":                   "cluster-domain",
		"containerLogMaxFiles":            "container-log-max-files",
		"containerLogMaxSize":             "container-log-max-size",
		"containerLogMaxWorkers":          "container-log-max-workers",
		"containerLogMonitorInterval":     "container-log-monitor-interval",
		"cpuCFSQuota":                     "cpu-cfs-quota-enforced",
		"cpuManagerPolicy":                "cpu-manager-policy",
		"cpuManagerReconcilePeriod":       "cpu-manager-reconcile-period",
		"eventBurst":                      "event-burst",
		"eventRecordQPS":                  "event-qps",
		"evictionHard":                    "eviction-hard",
		"evictionMaxPodGracePeriod":       "eviction-max-pod-grace-period",
		"evictionSoft":                    "eviction-soft",
		"evictionSoftGracePeriod":         "eviction-soft-grace-period",
		"imageGCHighThresholdPercent":     "image-gc-high-threshold-percent",
		"imageGCLowThresholdPercent":      "image-gc-low-threshold-percent",
		"imageMaximumGCAge":               "image-maximum-gc-age",
		"imageMinimumGCAge":               "image-minimum-gc-age",
		"kubeAPIBurst":                    "kube-api-burst",
		"kubeAPIQPS":                      "kube-api-qps",
		"kubeReserved":                    "kube-reserved",
		"maxParallelImagePulls":           "max-parallel-image-pulls",
		"maxPods":                         "max-pods",
		"memoryManagerPolicy":             "memory-manager-policy",
		"podPidsLimit":                    "pod-pids-limit",
		"providerID":                      "provider-id",
		"registryBurst":                   "registry-burst",
		"registryPullQPS":                 "registry-qps",
		"reservedSystemCPUs":              "reserved-cpus",
		"seccompDefault":                  "seccomp-default",
		"serverTLSBootstrap":              "server-tls-bootstrap",
		"shutdownGracePeriod":             "shutdown-grace-period",
		"shutdownGracePeriodCriticalPods": "shutdown-grace-period-for-critical-pods",
		"singleProcessOOMKill":            "single-process-oom-kill",
		"systemReserved":                  "system-reserved",
		"topologyManagerPolicy":           "topology-manager-policy",
		"topologyManagerScope":            "topology-manager-scope",
	}
}

// kubeletFixed are fields that Bottlerocket sets to one value, or leaves to kubelet, whose default it is. To ask for
// that value is right. Source: core-kit packages/kubernetes-*/kubelet-config;
// kubernetes/pkg/kubelet/apis/config/v1beta1/defaults.go.
func kubeletFixed() map[string]any {
	return map[string]any{
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false}, "webhook": map[string]any{"enabled": true},
		},
		"authorization":          map[string]any{"mode": "Webhook"},
		"cgroupDriver":           "systemd",
		"hairpinMode":            "hairpin-veth",
		"makeIPTablesUtilChains": true,
		"protectKernelDefaults":  true,
		"readOnlyPort":           int64(0),
		"runtimeRequestTimeout":  "15m",
		"serializeImagePulls":    false,
		"staticPodPath":          "/etc/kubernetes/static-pods/",
	}
}

// kubeletArgs maps command-line arguments to settings. The arguments of the other settings are deprecated for their
// fields. Source: core-kit packages/kubernetes-*/kubelet-exec-start-conf.
func kubeletArgs() map[string]string {
	return map[string]string{
		"cloud-provider": "cloud-provider", "hostname-override": "hostname-override", "node-ip": "node-ip",
		"provider-id": "provider-id", "v": "log-level",
	}
}

// kubelet renders kubelet's configuration. Where Bottlerocket's variants have different defaults, or others than
// kubelet, and a node would not come up by them, kubelet's own is written: a serving certificate that it signs itself,
// and no cloud provider (bottlerocket: sources/shared-defaults/kubernetes-aws.toml, kubernetes-vmware.toml).
func (s *settings) kubelet(at report.Path, k node.Kubelet) {
	s.set(at, false, "kubernetes", "server-tls-bootstrap")
	s.set(at, "", "kubernetes", "cloud-provider")
	fields, fixed := kubeletFields(), kubeletFixed()
	for _, name := range sortedKeys(k.Config) {
		field, value := at.Field("config").Field(name), k.Config[name]
		switch {
		case fields[name] != "":
			s.kubeletField(field, value, fields[name])
		case name == "cpuManagerPolicyOptions":
			s.policyOptions(field, value)
		case name == "userNamespaces":
			s.userNamespaces(field, value)
		case name == "reservedMemory":
			s.reservedMemory(field, value)
		case name == "failSwapOn":
			s.failSwapOn(field, value)
		case fixed[name] == nil:
			s.instead(field, "leave it out", "Bottlerocket does not set this field of kubelet")
		case !within(value, fixed[name]):
			s.instead(field, "leave it out", "Bottlerocket sets this field of kubelet itself, to another value")
		}
	}
	for i, a := range k.Args {
		s.kubeletArg(at.Field("extraArgs").Index(i), a)
	}
}

func (s *settings) kubeletField(at report.Path, value any, setting string) {
	table, is := value.(map[string]any)
	if !is {
		s.set(at, normal(value), "kubernetes", setting)
		return
	}
	for _, key := range sortedKeys(table) {
		s.set(at.Key(key), normal(table[key]), "kubernetes", setting, key)
	}
}

// policyOptions renders the options that are on; Bottlerocket has a list of their names.
func (s *settings) policyOptions(at report.Path, value any) {
	table, _ := value.(map[string]any)
	names := []any{}
	for _, key := range sortedKeys(table) {
		switch table[key] {
		case "true":
			s.policyOption(at.Key(key), key)
			names = append(names, key)
		case "false":
		default:
			s.instead(at.Key(key), `write "true" or "false", in quotes`, "kubelet takes an option of a policy as text")
		}
	}
	s.set(at, names, "kubernetes", "cpu-manager-policy-options")
}

// policyOption refuses an option that kubelet has behind a feature gate in the machine's version of Kubernetes.
// Bottlerocket leaves it out there.
// Source: bottlerocket: sources/settings-migrations/v1.51.0/kubernetes-beta-cpu-manager-policy-options.
func (s *settings) policyOption(at report.Path, name string) {
	since := map[string]node.Version{
		"strict-cpu-reservation":           {Major: 1, Minor: 32},
		"distribute-cpus-across-numa":      {Major: 1, Minor: 33},
		"prefer-align-cpus-by-uncorecache": {Major: 1, Minor: 34},
	}
	if v, ok := node.ParseVersion(s.kubernetesVersion); ok && v.Less(since[name]) {
		s.instead(at, "leave it out", "Bottlerocket passes this option to kubelet since Kubernetes %d.%d, but the machine "+
			"has %s", since[name].Major, since[name].Minor, s.kubernetesVersion)
	}
}

// reservedMemory renders the memory to reserve by NUMA node. Huge pages are refused: kubelet does not start with them,
// and Bottlerocket leaves them out since February 2026 (core-kit: CHANGELOG.md, v13.0.0).
func (s *settings) reservedMemory(at report.Path, value any) {
	list, is := value.([]any)
	if !is {
		s.instead(at, "write a list of numaNode and limits", "this is not a list")
	}
	seen := map[string]bool{}
	for i, item := range list {
		entry, _ := item.(map[string]any)
		limits, _ := entry["limits"].(map[string]any)
		numa := fmt.Sprint(normal(entry["numaNode"]))
		where := at.Index(i)
		switch {
		case entry["numaNode"] == nil:
			s.instead(where.Field("numaNode"), "write the number of a NUMA node, such as 0", "the NUMA node is missing")
			continue
		case seen[numa]:
			s.instead(where.Field("numaNode"), "keep one of them", "the NUMA node %s has an entry already", numa)
			continue
		case limits["memory"] == nil:
			s.instead(where.Field("limits"), "write memory and a quantity such as 1Gi", "there is no limit of memory")
			continue
		}
		seen[numa] = true
		const setting = "memory-manager-reserved-memory"
		enabled := s.set(where.Field("numaNode"), true, "kubernetes", setting, numa, "enabled")
		for _, resource := range sortedKeys(limits) {
			switch at := where.Field("limits").Key(resource); {
			case resource != "memory":
				s.instead(at, "leave it out", "Bottlerocket reserves only memory")
			case enabled:
				s.set(at, normal(limits[resource]), "kubernetes", setting, numa, resource)
			}
		}
	}
}

// memoryManager refuses a policy that Bottlerocket would ignore: it writes the policy only together with reserved
// memory, which a snippet may have set. Source: core-kit packages/kubernetes-*/kubelet-config.
func (s *settings) memoryManager() {
	kubernetes, _ := s.tree["kubernetes"].(map[string]any)
	if kubernetes["memory-manager-policy"] != "Static" {
		return
	}
	reserved, _ := kubernetes["memory-manager-reserved-memory"].(map[string]any)
	for _, entry := range reserved {
		if table, _ := entry.(map[string]any); table["enabled"] == true {
			return
		}
	}
	s.instead(s.written["kubernetes.memory-manager-policy"],
		"set reservedMemory, whose sum is that of kubeReserved, systemReserved and evictionHard, or leave the policy out",
		"Bottlerocket ignores the policy Static of the memory manager without reserved memory")
}

// failSwapOn compares the value with that of Bottlerocket: false since core-kit 7.0.0 of April 2025, which is in 1.39.0
// and newer, and kubelet's default before.
func (s *settings) failSwapOn(at report.Path, value any) {
	on, is := value.(bool)
	switch {
	case !is:
		s.instead(at, "write true or false", "kubelet does not take this value")
	case on || s.before("1.39.0"):
		s.warn(at, "the release of Bottlerocket decides: this is false since April 2025, and true in older releases")
	}
}

// userNamespaces renders the one field of user namespaces that kubelet has.
func (s *settings) userNamespaces(at report.Path, value any) {
	table, _ := value.(map[string]any)
	for _, key := range sortedKeys(table) {
		if key != "idsPerPod" {
			s.instead(at.Key(key), "leave it out", "Bottlerocket does not set this field of kubelet")
			continue
		}
		s.set(at.Key(key), normal(table[key]), "kubernetes", "ids-per-pod")
	}
}

func (s *settings) kubeletArg(at report.Path, a node.Arg) {
	setting := kubeletArgs()[a.Name]
	literal, static := a.Value.Static()
	switch {
	case setting == "":
		s.instead(at, "use kubelet.config, if there is a field for it", "Bottlerocket cannot give kubelet the argument --%s",
			a.Name)
	case !static && a.Name == "node-ip" && isFact(a.Value, document.FactPrivateIPv4):
		// This is what Bottlerocket finds out by itself (core-kit: netdog node-ip).
	case !static:
		s.instead(at, "leave it out; Bottlerocket finds out node-ip, and on AWS provider-id, by itself",
			"Bottlerocket fills in no facts of the machine")
	case setting == "log-level":
		level, err := strconv.ParseInt(string(literal), 10, 64)
		if err != nil {
			level = -1
		}
		s.set(at, level, "kubernetes", setting)
	default:
		s.set(at, string(literal), "kubernetes", setting)
	}
}

// normal returns a value of JSON in the types of TOML: a number without a fraction is whole.
func normal(value any) any {
	switch v := value.(type) {
	case int:
		return int64(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
		return v
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = normal(item)
		}
		return items
	default:
		return value
	}
}

// within reports whether the actual value contains the whole desired value.
func within(requested, there any) bool {
	table, is := requested.(map[string]any)
	known, tables := there.(map[string]any)
	if !is || !tables {
		return normal(requested) == there
	}
	for key, value := range table {
		if known[key] == nil || !within(value, known[key]) {
			return false
		}
	}
	return true
}

func sortedKeys[M ~map[K]V, K cmp.Ordered, V any](m M) []K { return slices.Sorted(maps.Keys(m)) }
