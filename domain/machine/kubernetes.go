package machine

import (
	"net/url"
	"regexp"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Provision says how Kubernetes's programs come onto a machine.
type Provision string

// The ways in which Kubernetes arrives.
const (
	// ProvisionAuto takes what the operating system's profile says.
	ProvisionAuto Provision = ""
	// ProvisionImage means that the image has kubelet, kubeadm and a container runtime.
	ProvisionImage Provision = "Image"
	// ProvisionSysext fetches a system extension image (systemd-sysext(8)).
	ProvisionSysext Provision = "Sysext"
	// ProvisionPackage installs packages.
	ProvisionPackage Provision = "Package"
	// ProvisionDownload fetches the programs one by one and checks their digests.
	ProvisionDownload Provision = "Download"
)

// Artifact is a file to fetch.
type Artifact struct {
	// Name is the file's name on the machine: kubelet, kubeadm, kubectl, or an extension's.
	Name string
	// URL is http, https or file. {version} and {arch} in it stand for Kubernetes's version with its v, and for the
	// architecture as the source spells it.
	URL string
	// SHA256 or SHA512 is the digest of the bytes, in hexadecimal. One of them is required: nothing unverified runs.
	SHA256, SHA512 string
}

// KubernetesConfig says how kubelet, kubeadm and kubectl come onto the machine.
type KubernetesConfig struct {
	Provision Provision
	// Artifacts are what Sysext and Download fetch.
	Artifacts []Artifact
	// Packages are what Package installs; none means kubelet, kubeadm and kubectl of the machine's version.
	Packages []string
}

// Kind returns KindKubernetes.
func (KubernetesConfig) Kind() document.Kind { return KindKubernetes }

var (
	sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sha512Pattern = regexp.MustCompile(`^[0-9a-f]{128}$`)
)

// Check finds artifacts that cannot be fetched or verified.
func (c KubernetesConfig) Check(p report.Path) report.Report {
	var r report.Report
	known := []Provision{ProvisionAuto, ProvisionImage, ProvisionSysext, ProvisionPackage, ProvisionDownload}
	if !slices.Contains(known, c.Provision) {
		r = append(r, report.Errorf(p.Field("provision"), "%q is no way to provide Kubernetes", c.Provision).To("use one of %v", known[1:]))
	}
	if (c.Provision == ProvisionSysext || c.Provision == ProvisionDownload) && len(c.Artifacts) == 0 {
		r = append(r, report.Errorf(p.Field("artifacts"), "%s fetches artifacts, and none is given", c.Provision))
	}
	for i, a := range c.Artifacts {
		r = append(r, a.check(p.Field("artifacts").Index(i))...)
	}
	for i, name := range c.Packages {
		if !packagePattern.MatchString(name) {
			r = append(r, report.Errorf(p.Field("packages").Index(i), "%q is no package's name", name))
		}
	}
	return r
}

func (a Artifact) check(p report.Path) report.Report {
	r := checkFileName(p.Field("name"), a.Name)
	u, err := url.Parse(a.URL)
	if err != nil || !slices.Contains([]string{"http", "https", "file"}, u.Scheme) || (u.Host == "") != (u.Scheme == "file") {
		r = append(r, report.Errorf(p.Field("url"), "%q is no http, https or file URL", a.URL))
	}
	switch {
	case a.SHA256 == "" && a.SHA512 == "":
		r = append(r, report.Errorf(p, "there is no digest to check the download against").To("give sha256 or sha512"))
	case a.SHA256 != "" && !sha256Pattern.MatchString(a.SHA256):
		r = append(r, report.Errorf(p.Field("sha256"), "this is not 64 lower-case hexadecimal digits"))
	case a.SHA512 != "" && !sha512Pattern.MatchString(a.SHA512):
		r = append(r, report.Errorf(p.Field("sha512"), "this is not 128 lower-case hexadecimal digits"))
	}
	return r
}
