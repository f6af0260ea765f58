package node

import (
	"net/url"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// volumePattern matches the name of a volume in the Kubernetes API: a DNS label.
var volumePattern = pattern.Of(63, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// Check returns error findings for settings of components, etcd and certificates that kubeadm refuses.
func (c ControlPlaneConfig) Check(p report.Path) report.Report {
	r := c.APIServer.check(p.Field("apiServer"))
	r = append(r, c.ControllerManager.check(p.Field("controllerManager"))...)
	r = append(r, c.Scheduler.check(p.Field("scheduler"))...)
	r = append(r, c.checkEtcd(p)...)
	for i, gate := range c.FeatureGates {
		if !argPattern.MatchString(gate.Name) {
			r = append(r, report.Errorf(p.Field("featureGates").Index(i), "%q is not the name of a feature gate", gate.Name))
		}
	}
	r = append(r, checkInitTokens(p.Field("bootstrapTokens"), c.BootstrapTokens)...)
	return append(r, c.Certificates.check(p.Field("certificates"))...)
}

func (c Certificates) check(p report.Path) report.Report {
	var r report.Report
	algorithms := []KeyAlgorithm{"", RSA2048, RSA3072, RSA4096, ECDSAP256, ECDSAP384}
	if !slices.Contains(algorithms, c.Algorithm) {
		r = append(r, report.Errorf(p.Field("algorithm"), "%q is not a key algorithm", c.Algorithm).To("use one of %v",
			algorithms[1:]))
	}
	if c.ValidityDays < 0 || c.CAValidityDays < 0 {
		r = append(r, report.Errorf(p, "a validity must not be negative").To("use a number of days, or leave it out"))
	}
	return r
}

func (c ControlPlaneConfig) checkEtcd(p report.Path) report.Report {
	if c.LocalEtcd != nil && c.ExternalEtcd != nil {
		return report.Report{report.Errorf(p.Field("externalEtcd"), "localEtcd and externalEtcd exclude each other").To(
			"remove one of them")}
	}
	if c.LocalEtcd != nil {
		return c.LocalEtcd.check(p.Field("localEtcd"))
	}
	if c.ExternalEtcd != nil {
		return c.ExternalEtcd.check(p.Field("externalEtcd"))
	}
	return nil
}

func (e LocalEtcd) check(p report.Path) report.Report {
	r := checkArgs(p.Field("extraArgs"), e.Args)
	r = append(r, checkEnv(p.Field("extraEnvs"), e.Env)...)
	r = append(r, checkSANs(p.Field("serverCertSANs"), e.ServerCertSANs)...)
	r = append(r, checkSANs(p.Field("peerCertSANs"), e.PeerCertSANs)...)
	return append(r, checkAbsolute(p.Field("dataDir"), e.DataDir)...)
}

func (e ExternalEtcd) check(p report.Path) report.Report {
	var r report.Report
	if len(e.Endpoints) == 0 {
		r = append(r, report.Errorf(p.Field("endpoints"), "endpoints is empty").To(
			"set the https URL of at least one member"))
	}
	for i, s := range e.Endpoints {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.User != nil {
			r = append(r, report.Errorf(p.Field("endpoints").Index(i), "this is not the URL of an etcd member").
				To("write https://host:2379"))
		}
	}
	r = append(r, checkAbsolute(p.Field("caFile"), e.CAFile)...)
	r = append(r, checkAbsolute(p.Field("certFile"), e.CertFile)...)
	return append(r, checkAbsolute(p.Field("keyFile"), e.KeyFile)...)
}

func (a APIServer) check(p report.Path) report.Report {
	r := a.Component.check(p)
	r = append(r, checkSANs(p.Field("certSANs"), a.CertSANs)...)
	if a.Audit != nil {
		r = append(r, a.Audit.check(p.Field("audit"))...)
	}
	return r
}

func (a Audit) check(p report.Path) report.Report {
	r := checkAbsolute(p.Field("logPath"), a.LogPath)
	if len(a.Policy) == 0 {
		r = append(r, report.Errorf(p.Field("policy"), "the policy is empty").To("set a Policy of audit.k8s.io/v1"))
	}
	if a.MaxAgeDays < 0 || a.MaxBackups < 0 || a.MaxSizeMB < 0 {
		r = append(r, report.Errorf(p, "a limit must not be negative").To("use a positive number, or leave it out"))
	}
	return r
}

// checkSANs returns findings for names that kubeadm does not accept in certificates. It accepts IP addresses and DNS
// names, including wildcards.
func checkSANs(p report.Path, names []string) report.Report {
	var r report.Report
	for i, s := range names {
		if !isHost(strings.TrimPrefix(s, "*.")) {
			r = append(r, report.Errorf(p.Index(i), "%q is neither an IP address nor a DNS name", s).To("use one of them"))
		}
	}
	return r
}

func checkEnv(p report.Path, env []Env) report.Report {
	var r report.Report
	for i, e := range env {
		if e.Name == "" || strings.ContainsAny(e.Name, "= \t\r\n\x00") {
			r = append(r, report.Errorf(p.Index(i).Field("name"), "%q is not the name of an environment variable",
				e.Name).To("use letters, digits and underscores"))
		}
	}
	return r
}

func (c Component) check(p report.Path) report.Report {
	r := checkArgs(p.Field("extraArgs"), c.Args)
	r = append(r, checkEnv(p.Field("extraEnvs"), c.Env)...)
	seen := map[string]int{}
	for i, v := range c.Volumes {
		at := p.Field("extraVolumes").Index(i)
		if first, dup := seen[v.Name]; dup {
			r = append(r, report.Errorf(at.Field("name"), "%q is already the name of element %d", v.Name,
				first).To("name each differently"))
		}
		seen[v.Name] = i
		r = append(r, v.check(at)...)
	}
	return r
}

func (v Volume) check(p report.Path) report.Report {
	var r report.Report
	if !volumePattern.MatchString(v.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is not the name of a volume", v.Name).To(
			"use lower-case letters, digits and dashes"))
	}
	if v.HostPath == "" || v.MountPath == "" {
		r = append(r, report.Errorf(p, "hostPath or mountPath is empty").To("set both"))
	}
	r = append(r, checkAbsolute(p.Field("hostPath"), v.HostPath)...)
	r = append(r, checkAbsolute(p.Field("mountPath"), v.MountPath)...)
	if strings.ContainsRune(v.MountPath, ':') {
		r = append(r, report.Errorf(p.Field("mountPath"), "a mount path must not contain a colon").To("choose another path"))
	}
	if !slices.Contains(pathTypes(), v.PathType) {
		r = append(r, report.Errorf(p.Field("pathType"), "%q is not a type of a hostPath volume", v.PathType).
			To("use one of %v", pathTypes()[1:]))
	}
	return r
}

// pathTypes returns the types of a HostPathVolumeSource.
func pathTypes() []string {
	return []string{"", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"}
}
