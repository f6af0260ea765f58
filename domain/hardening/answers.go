package hardening

// Part is the component or file that a setting belongs to.
type Part string

// The parts.
const (
	PartSysctl            Part = "sysctl"
	PartKubelet           Part = "kubelet configuration"
	PartAPIServer         Part = "kube-apiserver argument"
	PartControllerManager Part = "kube-controller-manager argument"
	PartScheduler         Part = "kube-scheduler argument"
	PartEtcd              Part = "etcd argument"
	PartAudit             Part = "audit policy"
	PartMode              Part = "file mode"
)

// controlPlane reports whether only control plane machines have the part.
func (p Part) controlPlane() bool { return p != PartSysctl && p != PartKubelet && p != PartMode }

// Setting is a setting, and the checks that it fulfils.
type Setting struct {
	// CIS and STIG are the checks of each profile.
	CIS, STIG []string
	Part      Part
	// Name is the name of the setting: a kernel parameter, the path of a field, an argument, or a pattern of file
	// paths.
	Name string
	// Value is a string, a bool, an int or a []string.
	Value any
}

// Checks returns the IDs of the profile's checks that the setting fulfils.
func (a Setting) Checks(p Profile) []string {
	if p == CIS {
		return a.CIS
	}
	return a.STIG
}

// ciphers are the cipher suites that both profiles allow (CIS 4.2.12, CNTR-K8-001400).
func ciphers() []string {
	return []string{
		"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
		"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
	}
}

const (
	joinedCiphers = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256," +
		"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"
	tls12 = "VersionTLS12"

	// metadataPolicy records requests without their contents (CIS 3.2.1, 3.2.2).
	metadataPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`
	// fullPolicy is the policy that CNTR-K8-000700 requires literally. It writes the contents of Secrets to the audit
	// log.
	fullPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: RequestResponse
`
)

// Settings returns all settings. docs/hardening.md lists the checks without a setting: those that kubeadm fulfils
// itself, and those that do not concern a machine.
func Settings() []Setting {
	return append(append(nodeSettings(), controlPlaneSettings()...), modes()...)
}

func nodeSettings() []Setting {
	kernel := []string{"CNTR-K8-001620"}
	return []Setting{
		// With protectKernelDefaults, kubelet does not start unless the kernel already has these values.
		{STIG: kernel, Part: PartSysctl, Name: "kernel.keys.root_maxbytes", Value: "25000000"},
		{STIG: kernel, Part: PartSysctl, Name: "kernel.keys.root_maxkeys", Value: "1000000"},
		{STIG: kernel, Part: PartSysctl, Name: "kernel.panic", Value: "10"},
		{STIG: kernel, Part: PartSysctl, Name: "kernel.panic_on_oops", Value: "1"},
		{STIG: kernel, Part: PartSysctl, Name: "vm.overcommit_memory", Value: "1"},
		{STIG: kernel, Part: PartSysctl, Name: "vm.panic_on_oom", Value: "0"},
		{STIG: kernel, Part: PartKubelet, Name: "protectKernelDefaults", Value: true},
		{
			CIS: []string{"4.2.1"}, STIG: []string{"CNTR-K8-000370"}, Part: PartKubelet,
			Name: "authentication.anonymous.enabled", Value: false,
		},
		{
			CIS: []string{"4.2.2"}, STIG: []string{"CNTR-K8-000380"}, Part: PartKubelet, Name: "authorization.mode",
			Value: "Webhook",
		},
		{CIS: []string{"4.2.4"}, STIG: []string{"CNTR-K8-000330"}, Part: PartKubelet, Name: "readOnlyPort", Value: 0},
		{
			CIS: []string{"4.2.5"}, STIG: []string{"CNTR-K8-001300"}, Part: PartKubelet,
			Name: "streamingConnectionIdleTimeout", Value: "5m",
		},
		{CIS: []string{"4.2.6"}, Part: PartKubelet, Name: "makeIPTablesUtilChains", Value: true},
		{CIS: []string{"4.2.10"}, Part: PartKubelet, Name: "rotateCertificates", Value: true},
		{CIS: []string{"4.2.12"}, Part: PartKubelet, Name: "tlsCipherSuites", Value: ciphers()},
		{CIS: []string{"4.2.13"}, Part: PartKubelet, Name: "podPidsLimit", Value: 4096},
		{CIS: []string{"4.2.14"}, Part: PartKubelet, Name: "seccompDefault", Value: true},
	}
}

func controlPlaneSettings() []Setting {
	return []Setting{
		{
			CIS: []string{"1.2.3", "1.2.14"}, Part: PartAPIServer, Name: "enable-admission-plugins",
			Value: "NodeRestriction,DenyServiceExternalIPs",
		},
		{CIS: []string{"1.2.15"}, Part: PartAPIServer, Name: "profiling", Value: "false"},
		{
			CIS: []string{"1.2.20"}, STIG: []string{"CNTR-K8-002600"}, Part: PartAPIServer, Name: "request-timeout",
			Value: "300s",
		},
		{
			CIS: []string{"1.2.29"}, STIG: []string{"CNTR-K8-001400"}, Part: PartAPIServer, Name: "tls-cipher-suites",
			Value: joinedCiphers,
		},
		{STIG: []string{"CNTR-K8-000170", "CNTR-K8-003350"}, Part: PartAPIServer, Name: "tls-min-version", Value: tls12},
		{
			CIS: []string{"1.2.16", "1.2.17", "1.2.18", "1.2.19", "3.2.1"}, Part: PartAudit, Name: "Metadata",
			Value: metadataPolicy,
		},
		{
			STIG: []string{
				"CNTR-K8-000600", "CNTR-K8-000610", "CNTR-K8-000700", "CNTR-K8-003280", "CNTR-K8-003290",
				"CNTR-K8-003300", "CNTR-K8-003310",
			},
			Part: PartAudit, Name: "RequestResponse", Value: fullPolicy,
		},
		{CIS: []string{"1.3.1"}, Part: PartControllerManager, Name: "terminated-pod-gc-threshold", Value: "1000"},
		{
			CIS: []string{"1.3.2"}, STIG: []string{"CNTR-K8-000910"}, Part: PartControllerManager, Name: "profiling",
			Value: "false",
		},
		{STIG: []string{"CNTR-K8-000150"}, Part: PartControllerManager, Name: "tls-min-version", Value: tls12},
		{CIS: []string{"1.4.1"}, Part: PartScheduler, Name: "profiling", Value: "false"},
		{STIG: []string{"CNTR-K8-000160"}, Part: PartScheduler, Name: "tls-min-version", Value: tls12},
		{STIG: []string{"CNTR-K8-000180"}, Part: PartEtcd, Name: "auto-tls", Value: "false"},
		{STIG: []string{"CNTR-K8-000190"}, Part: PartEtcd, Name: "peer-auto-tls", Value: "false"},
	}
}

// modes returns the modes of files that kubeadm writes with more permissions. A pattern without matches has no effect.
func modes() []Setting {
	return []Setting{
		{CIS: []string{"4.1.9"}, Part: PartMode, Name: "/var/lib/kubelet/config.yaml", Value: "600"},
		{CIS: []string{"1.1.20", "4.1.7"}, Part: PartMode, Name: "/etc/kubernetes/pki/*.crt", Value: "600"},
		{CIS: []string{"1.1.20"}, Part: PartMode, Name: "/etc/kubernetes/pki/etcd/*.crt", Value: "600"},
		{STIG: []string{"CNTR-K8-003330"}, Part: PartMode, Name: "/etc/kubernetes/pki/*.crt", Value: "644"},
		{STIG: []string{"CNTR-K8-003330"}, Part: PartMode, Name: "/etc/kubernetes/pki/etcd/*.crt", Value: "644"},
	}
}
