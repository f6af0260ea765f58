package node

import (
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/componentconfig"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

var (
	argPattern     = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	wordPattern    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?$`)
	podNamePattern = pattern.Of(63, `^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)
)

// maxSubdomain is the maximum length of a DNS name.
const maxSubdomain = 253

// Check returns error findings for values that kubelet or kubeadm refuses, and for control plane settings on a worker.
func (c NodeConfig) Check(p report.Path) report.Report {
	var r report.Report
	if !slices.Contains([]Role{RoleInit, RoleControlPlane, RoleWorker}, c.Role) {
		r = append(r, report.Errorf(p.Field("role"), "%q is not a role", c.Role).To("use Init, ControlPlane or Worker"))
	}
	if !isVersion(c.KubernetesVersion) {
		remedy := "write it as v1.36.3"
		if isVersion("v" + c.KubernetesVersion) {
			remedy = "add a leading v: v" + c.KubernetesVersion
		}
		r = append(r, report.Errorf(p.Field("kubernetesVersion"), "%q is not a version", c.KubernetesVersion).
			To("%s", remedy))
	}
	r = append(r, c.Cluster.check("").Below(p.Field("cluster"))...)
	r = append(r, c.checkDiscovery("").Below(p.Field("discovery"))...)
	r = append(r, c.Registration.check("").Below(p.Field("registration"))...)
	r = append(r, c.Kubelet.check("").Below(p.Field("kubelet"))...)
	version, _ := ParseVersion(c.KubernetesVersion)
	r = append(r, componentconfig.Kubelet("", c.Kubelet.Config, version.Minor).Below(p.Field("kubelet.config"))...)
	r = append(r, c.checkCertificates(p)...)
	r = append(r, c.checkEndpoint(p)...)
	return append(r, c.checkKubeadm(p)...)
}

// checkKubeadm checks the settings for running kubeadm.
func (c NodeConfig) checkKubeadm(p report.Path) report.Report {
	var r report.Report
	for i, patch := range c.Patches {
		r = append(r, patch.check(p.Field("patches").Index(i), c.Role)...)
	}
	r = append(r, checkAbsolute(p.Field("patchesDirectory"), c.PatchesDirectory)...)
	for i, phase := range c.SkipPhases {
		r = append(r, checkWord(p.Field("skipPhases").Index(i), phase)...)
	}
	if c.Verbosity < 0 || c.Verbosity > 10 {
		r = append(r, report.Errorf(p.Field("verbosity"), "%d is not between 0 and 10", c.Verbosity).To(
			"use a number in this range"))
	}
	return append(r, c.Timeouts.check(p.Field("timeouts"))...)
}

func (t Timeouts) check(p report.Path) report.Report {
	seconds := []struct {
		field string
		value int
	}{
		{"controlPlaneComponentHealthCheckSeconds", t.ControlPlaneComponentHealthCheck},
		{"kubeletHealthCheckSeconds", t.KubeletHealthCheck},
		{"kubernetesAPICallSeconds", t.KubernetesAPICall},
		{"etcdAPICallSeconds", t.EtcdAPICall},
		{"tlsBootstrapSeconds", t.TLSBootstrap},
		{"discoverySeconds", t.Discovery},
	}
	var r report.Report
	for _, s := range seconds {
		if s.value < 0 {
			r = append(r, report.Errorf(p.Field(s.field), "a timeout must not be negative").To(
				"use a number of seconds, or 0 for the default"))
		}
	}
	return r
}

func (c Cluster) check(p report.Path) report.Report {
	r := checkEndpoint(p.Field("endpoint"), c.Endpoint)
	r = append(r, checkCIDRs(p.Field("podSubnets"), c.PodSubnets)...)
	r = append(r, checkCIDRs(p.Field("serviceSubnets"), c.ServiceSubnets)...)
	if c.DNSDomain != "" {
		r = append(r, checkSubdomain(p.Field("dnsDomain"), c.DNSDomain)...)
	}
	return r
}

func checkCIDRs(p report.Path, subnets []string) report.Report {
	var r report.Report
	for i, s := range subnets {
		if _, err := netip.ParsePrefix(s); err != nil {
			r = append(r, report.Errorf(p.Index(i), "%q is not a CIDR", s).To("write it as 10.96.0.0/12"))
		}
	}
	return r
}

func (k Kubelet) check(p report.Path) report.Report {
	r := checkArgs(p.Field("extraArgs"), k.Args)
	for _, key := range [...]string{"apiVersion", "kind"} {
		if _, given := k.Config[key]; given {
			r = append(r, report.Errorf(p.Field("config").Field(key), "machineadm sets this field").To("leave it out"))
		}
	}
	return r
}

// checkCertificates returns findings for paths outside of the directory of certificates, and for keys on a worker,
// which needs none.
func (c NodeConfig) checkCertificates(p report.Path) report.Report {
	r := checkAbsolute(p.Field("certificatesDir"), c.CertificatesDir)
	seen := map[string]int{}
	for i, file := range c.Certificates {
		at := p.Field("certificates").Index(i)
		if first, dup := seen[file.Path]; dup {
			r = append(r, report.Errorf(at.Field("path"), "%q is already the path of element %d", file.Path, first))
		}
		seen[file.Path] = i
		if file.Path == "" || path.IsAbs(file.Path) || path.Clean(file.Path) != file.Path ||
			strings.HasPrefix(file.Path, "..") {
			r = append(r, report.Errorf(at.Field("path"), "%q is not a path below the directory of certificates", file.Path).
				To("use a relative path such as etcd/ca.crt"))
		}
		if file.Private && c.Role == RoleWorker {
			r = append(r, report.Errorf(at, "a worker must not have a private key of the cluster").To("remove the file"))
		}
	}
	return r
}

// checkEndpoint checks the address and the port of the machine's API server, which a worker does not have.
func (c NodeConfig) checkEndpoint(p report.Path) report.Report {
	var r report.Report
	if c.BindPort < 0 || c.BindPort > 65535 {
		r = append(r, report.Errorf(p.Field("bindPort"), "%d is not a port", c.BindPort).To("use a number from 1 to 65535"))
	}
	if address, static := c.AdvertiseAddress.Static(); static && len(address) > 0 {
		if _, err := netip.ParseAddr(string(address)); err != nil {
			r = append(r, report.Errorf(p.Field("advertiseAddress"), "%q is not an IP address", address).To(
				"write it as 192.0.2.1 or 2001:db8::1"))
		}
	}
	if c.Role == RoleWorker && (!c.AdvertiseAddress.IsZero() || c.BindPort != 0) {
		r = append(r, report.Errorf(p, "a worker does not run an API server, to which advertiseAddress and bindPort apply").
			To("leave them out"))
	}
	return r
}

func checkArgs(p report.Path, args []Arg) report.Report {
	var r report.Report
	for i, a := range args {
		if !argPattern.MatchString(a.Name) {
			r = append(r, report.Errorf(p.Index(i).Field("name"), "%q is not the name of an argument",
				a.Name).To("leave the dashes out"))
		}
	}
	return r
}

func checkWord(p report.Path, s string) report.Report {
	if wordPattern.MatchString(s) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a name", s).To(
		"use a name without white space and control characters")}
}

func checkSubdomain(p report.Path, s string) report.Report {
	if isSubdomain(s) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a DNS name", s).To("use lower-case letters, digits, dashes and dots")}
}

// checkAbsolute returns a finding if a path is not absolute. An empty path means the default.
func checkAbsolute(p report.Path, s string) report.Report {
	switch {
	case s == "":
		return nil
	case !path.IsAbs(s) || path.Clean(s) != s:
		return report.Report{report.Errorf(p, "%q is not an absolute and clean path", s).To(
			"begin it with a slash, and leave out . and ..")}
	case strings.ContainsRune(s, 0) || !utf8.ValidString(s):
		return report.Report{report.Errorf(p, "the path is not UTF-8 text without NUL bytes").To("use another path")}
	}
	return nil
}

func (patch Patch) check(p report.Path, role Role) report.Report {
	targets := []string{"kubeletconfiguration"}
	if role.IsControlPlane() {
		targets = append(targets, "kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "corednsdeployment")
	}
	var r report.Report
	if !slices.Contains(targets, patch.Target) {
		r = append(r, report.Errorf(p.Field("target"), "kubeadm does not support the target %q on this machine",
			patch.Target).To("use one of %v", targets))
	}
	if !slices.Contains([]string{"", "strategic", "merge", "json"}, patch.Type) {
		r = append(r, report.Errorf(p.Field("type"), "%q is not a type of patch", patch.Type).To(
			"use strategic, merge or json"))
	}
	if len(patch.Content) == 0 {
		r = append(r, report.Errorf(p.Field("content"), "the patch is empty").To("set its content, or remove it"))
	}
	return r
}

// Check returns error findings for names that are not file names, and for empty manifests.
func (s StaticPod) Check(p report.Path) report.Report {
	var r report.Report
	if !podNamePattern.MatchString(s.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is not the name of a Pod", s.Name).To(
			"use lower-case letters, digits, dashes and dots"))
	}
	if slices.Contains([]string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"}, s.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is a static Pod of kubeadm", s.Name).To(
			"change it with controlPlane or a patch"))
	}
	if len(s.Manifest) == 0 {
		r = append(r, report.Errorf(p.Field("manifest"), "the manifest is empty").To("write a Pod, or remove the entry"))
	}
	return r
}
