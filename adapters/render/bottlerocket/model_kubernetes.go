package bottlerocket

import (
	"math"
	"net/netip"
)

const (
	// kubernetesModel and its likes are the sources of most rows.
	kubernetesModel = "settings-models: settings-extensions/kubernetes, modeled-types/kubernetes.rs"
	sharedTypes     = "settings-models: modeled-types/shared.rs"

	// labelValue is that of the Kubernetes API.
	labelValue = `([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?`
	quantities = `[+-]?[0-9.]+(e?[0-9]*|(E|P|T|G|M|K)i?|n|u|m|k)`
)

func labelKey() constraint {
	return pattern("a label's key", `^([A-Za-z0-9.-]{1,253}/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
}

// identifier names containers, certificates and static pods.
func identifier() constraint {
	return pattern("at most 76 letters, digits and hyphens", `^[A-Za-z0-9-]{1,76}$`)
}

func quantity() constraint { return pattern("a quantity such as 10Mi", `^`+quantities+`$`) }

func threshold() constraint {
	return pattern("a quantity such as 10Mi, or a percentage below 100%", `^(`+quantities+`|[0-9]{1,2}(\.[0-9]+)?%)$`)
}

func duration() constraint {
	const n = `([0-9]+\.)?[0-9]+`
	order := pattern("a duration such as 1m30s", `^(`+n+`h)?(`+n+`m)?(`+n+`s)?(`+n+`ms)?$`)
	return text(order.takes, func(s string) bool { return s != "" && order.ok(s) })
}

// hostname is a name of hostname(7).
func hostname() constraint {
	return pattern("a host name of lower-case letters, digits, hyphens and dots",
		`^[0-9a-z][0-9a-z-]{0,62}(\.[0-9a-z][0-9a-z-]{0,62})*$`)
}

func domain() constraint {
	words := pattern("a domain name", `^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)
	return text(words.takes, func(s string) bool {
		_, err := netip.ParseAddr(s)
		return err != nil && words.ok(s)
	})
}

// clusterSettings are the cluster that the machine joins and the registration of its node.
func clusterSettings() []setting {
	k := func(key string, is constraint) setting {
		return setting{key: "kubernetes." + key, is: is, source: kubernetesModel}
	}
	labels, taints, pods := k("node-labels.*", pattern("a label's value", `^`+labelValue+`$`)),
		k("node-taints.*", taintValues()), "static-pods.*."
	labels.name, taints.name = labelKey(), labelKey()
	enabled, manifest := k(pods+"enabled", boolean()), k(pods+"manifest", base64Text())
	enabled.name, manifest.name = identifier(), identifier()
	return []setting{
		k("api-server", address()),
		k("cluster-certificate", base64Text()),
		k("cluster-name", pattern("at most 100 letters, digits, hyphens and underscores",
			`^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$`)),
		k("authentication-mode", oneOf("aws", "tls")),
		k("bootstrap-token", pattern("a bootstrap token", `^[a-z0-9]{6}\.[a-z0-9]{16}$`)),
		k("standalone-mode", boolean()),
		k("cluster-dns-ip", either(ip(), list(ip()))),
		k("cluster-domain", domain()),
		k("cloud-provider", oneOf("", "external", "aws")),
		k("hostname-override", hostname()),
		k("node-ip", ip()),
		k("provider-id", address()),
		k("server-tls-bootstrap", boolean()),
		k("server-certificate", base64Text()),
		k("server-key", base64Text()),
		k("pod-infra-container-image", plain()),
		labels, taints, enabled, manifest,
		k("credential-providers.**", anything()),
		k("device-plugins.**", anything()),
	}
}

func taintValues() constraint {
	return list(pattern("a taint's value, a colon and its effect", `^`+labelValue+`:[A-Za-z0-9]{1,253}$`))
}

// kubeletSettings are kubelet's own.
func kubeletSettings() []setting {
	k := func(key string, is constraint) setting {
		return setting{key: "kubernetes." + key, is: is, source: kubernetesModel}
	}
	reserved := func(key string, is constraint) setting {
		s := k("memory-manager-reserved-memory.*."+key, is)
		s.name = pattern("the number of a NUMA node", `^[0-9]+$`)
		return s
	}
	options := k("cpu-manager-policy-options", list(oneOf("full-pcpus-only", "strict-cpu-reservation",
		"distribute-cpus-across-numa", "prefer-align-cpus-by-uncorecache")))
	options.words = map[string]string{
		"strict-cpu-reservation": "1.51.0", "distribute-cpus-across-numa": "1.51.0",
		"prefer-align-cpus-by-uncorecache": "1.51.0",
	}
	options.source += "; bottlerocket: sources/settings-migrations/v1.51.0/kubernetes-beta-cpu-manager-policy-options"
	return []setting{
		options,
		reserved("enabled", boolean()), reserved("memory", quantity()),
		reserved("hugepages-1Gi", quantity()), reserved("hugepages-2Mi", quantity()),
		k("max-pods", number("a whole number from 0 to 4294967295", 0, math.MaxUint32)),
		k("pod-pids-limit", number("a whole number", math.MinInt64, math.MaxInt64)),
		k("allowed-unsafe-sysctls", list(plain())),
		k("registry-qps", int32s()),
		k("registry-burst", int32s()),
		k("event-qps", int32s()),
		k("event-burst", int32s()),
		k("kube-api-qps", int32s()),
		k("kube-api-burst", int32s()),
		k("container-log-max-size", quantity()),
		k("container-log-max-files", int32s()),
		k("cpu-cfs-quota-enforced", boolean()),
		k("cpu-manager-policy", oneOf("none", "static")),
		k("cpu-manager-reconcile-period", duration()),
		k("topology-manager-scope", oneOf("container", "pod")),
		k("topology-manager-policy", oneOf("none", "restricted", "best-effort", "single-numa-node")),
		k("image-gc-high-threshold-percent", number("a whole number from 0 to 100", 0, 100)),
		k("image-gc-low-threshold-percent", number("a whole number from 0 to 100", 0, 100)),
		k("log-level", number("a whole number from 0 to 255", 0, math.MaxUint8)),
		k("shutdown-grace-period", duration()),
		k("shutdown-grace-period-for-critical-pods", duration()),
		k("memory-manager-policy", oneOf("None", "Static")),
		k("reserved-cpus", pattern("a set of processors such as 0-3,8", `^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$`)),
		k("seccomp-default", boolean()),
	}
}

// newKubeletSettings are those that some supported releases do not have.
func newKubeletSettings() []setting {
	k := func(key, since string, is constraint) setting {
		return setting{key: "kubernetes." + key, is: is, since: since, source: "bottlerocket-project-website, 2026-04-14: " +
			"data/settings/*/kubernetes.toml, the first release that has the setting"}
	}
	return []setting{
		k("hostname-override-source", "1.21.0", oneOf("private-dns-name", "instance-id")),
		k("device-ownership-from-security-context", "1.30.0", boolean()),
		k("single-process-oom-kill", "1.39.0", boolean()),
		k("container-log-max-workers", "1.39.0", int32s()),
		k("container-log-monitor-interval", "1.39.0", duration()),
		k("image-minimum-gc-age", "1.51.0", duration()),
		k("image-maximum-gc-age", "1.51.0", duration()),
		k("max-parallel-image-pulls", "1.51.0", int32s()),
		k("ids-per-pod", "1.51.0", number("a whole number from 0 to 4294967295", 0, math.MaxUint32)),
	}
}

// evictionSettings keep resources free.
func evictionSettings() []setting {
	signals := oneOf("memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available",
		"imagefs.inodesFree", "pid.available")
	resources := oneOf("cpu", "memory", "ephemeral-storage")
	k := func(key string, name, is constraint) setting {
		return setting{key: "kubernetes." + key, name: name, is: is, source: kubernetesModel}
	}
	return []setting{
		k("eviction-hard.*", signals, threshold()),
		k("eviction-soft.*", signals, threshold()),
		k("eviction-soft-grace-period.*", signals, duration()),
		k("eviction-max-pod-grace-period", constraint{}, number("a whole number from 0 to 2147483647", 0, math.MaxInt32)),
		k("kube-reserved.*", resources, quantity()),
		k("system-reserved.*", resources, quantity()),
	}
}
