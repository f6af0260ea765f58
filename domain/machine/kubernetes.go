package machine

import (
	"net/url"
	"regexp"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Provision is the way in which kubelet, kubeadm and kubectl are installed.
type Provision string

// The ways to install Kubernetes.
const (
	// ProvisionAuto is the default of the operating system's profile.
	ProvisionAuto Provision = ""
	// ProvisionImage means that the image contains kubelet, kubeadm and a container runtime.
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
	// Name is the name of the file on the machine: kubelet, kubeadm, kubectl, or that of an extension image.
	Name string `json:"name"`
	// URL is http, https or file. {version} is replaced by the Kubernetes version, such as v1.36.3, and {arch} by the
	// source's name of the architecture.
	URL string `json:"url"`
	// SHA256 is the digest of the bytes, in hexadecimal. SHA256 or SHA512 is required: nothing runs unverified.
	SHA256 string `json:"sha256,omitempty"`
	// SHA512 is the digest of the bytes, in hexadecimal.
	SHA512 string `json:"sha512,omitempty"`
}

// KubernetesConfig selects how kubelet, kubeadm and kubectl are installed on the machine.
type KubernetesConfig struct {
	// Provision is Image (part of the image), Sysext (a system extension), Package or Download. Default: that of the
	// operating system.
	Provision Provision `json:"provision,omitempty"`
	// Artifacts are the files that Sysext and Download fetch.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Packages are installed by Package. Default: kubelet, kubeadm and kubectl of the machine's version.
	Packages []string `json:"packages,omitempty"`
}

// Kind returns KindKubernetes.
func (KubernetesConfig) Kind() document.Kind { return KindKubernetes }

var (
	sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sha512Pattern = regexp.MustCompile(`^[0-9a-f]{128}$`)
)

// Check returns error findings for artifacts without a valid name, URL or digest.
func (c KubernetesConfig) Check(p report.Path) report.Report {
	var r report.Report
	known := []Provision{ProvisionAuto, ProvisionImage, ProvisionSysext, ProvisionPackage, ProvisionDownload}
	if !slices.Contains(known, c.Provision) {
		r = append(r, report.Errorf(p.Field("provision"), "%q is not a way to install Kubernetes", c.Provision).
			To("use one of %v", known[1:]))
	}
	if (c.Provision == ProvisionSysext || c.Provision == ProvisionDownload) && len(c.Artifacts) == 0 {
		r = append(r, report.Errorf(p.Field("artifacts"), "the provision %s fetches artifacts, and none is set", c.Provision).
			To("set the name, the URL and the digest of each file"))
	}
	r = append(r, c.checkArtifacts(p.Field("artifacts"))...)
	if c.Provision != ProvisionAuto {
		r = append(r, c.CheckUnused(p)...)
	}
	for i, name := range c.Packages {
		if !packagePattern.MatchString(name) {
			r = append(r, report.Errorf(p.Field("packages").Index(i), "%q is not the name of a package", name).To(
				"use a name of the package manager"))
		}
	}
	return r
}

// CheckUnused finds fields that have no effect with the provision, which must not be ProvisionAuto: a caller resolves
// that by the operating system's profile.
func (c KubernetesConfig) CheckUnused(p report.Path) report.Report {
	var r report.Report
	if len(c.Packages) > 0 && c.Provision != ProvisionPackage {
		r = append(r, report.Errorf(p.Field("packages"), "packages have no effect with provision %s", c.Provision).
			To("set provision to %s, or remove packages", ProvisionPackage))
	}
	if len(c.Artifacts) > 0 && c.Provision != ProvisionSysext && c.Provision != ProvisionDownload {
		r = append(r, report.Errorf(p.Field("artifacts"), "artifacts have no effect with provision %s", c.Provision).
			To("set provision to %s or %s, or remove artifacts", ProvisionSysext, ProvisionDownload))
	}
	return r
}

func (c KubernetesConfig) checkArtifacts(p report.Path) report.Report {
	var r report.Report
	seen := map[string]int{}
	for i, a := range c.Artifacts {
		if first, dup := seen[a.Name]; dup {
			r = append(r, report.Errorf(p.Index(i).Field("name"), "%q is already the name of element %d", a.Name,
				first).To("name each differently"))
		}
		seen[a.Name] = i
		r = append(r, a.Check(p.Index(i))...)
		if a.SHA256 != "" && a.SHA512 != "" {
			r = append(r, report.Errorf(p.Index(i).Field("sha512"), "sha256 is set as well").To("remove one of them"))
		}
	}
	return r
}

// checkFetchURL finds addresses that cannot be fetched, and those with credentials, which would be in a command's
// arguments and in logs; its findings do not quote them.
func checkFetchURL(p report.Path, raw string) report.Report {
	u, err := url.Parse(raw)
	switch {
	case err == nil && u.User != nil:
		return report.Report{report.Errorf(p, "the URL contains credentials, which users of the machine could read").
			To("serve the files without them; a digest or a key verifies them")}
	case err != nil || !slices.Contains([]string{"http", "https", "file"}, u.Scheme) ||
		(u.Host == "") != (u.Scheme == "file"):
		return report.Report{report.Errorf(p, "this is not an http, https or file URL")}
	}
	return checkWord(p, raw)
}

// Check returns error findings for artifacts without a valid name, URL or digest.
func (a Artifact) Check(p report.Path) report.Report {
	r := checkFileName(p.Field("name"), a.Name)
	r = append(r, checkFetchURL(p.Field("url"), a.URL)...)
	if a.SHA256 == "" && a.SHA512 == "" {
		r = append(r, report.Errorf(p, "the artifact has no digest").To("set sha256 or sha512"))
	}
	if a.SHA256 != "" && !sha256Pattern.MatchString(a.SHA256) {
		r = append(r, report.Errorf(p.Field("sha256"), "this is not a digest of 64 lower-case hexadecimal digits"))
	}
	if a.SHA512 != "" && !sha512Pattern.MatchString(a.SHA512) {
		r = append(r, report.Errorf(p.Field("sha512"), "this is not a digest of 128 lower-case hexadecimal digits"))
	}
	return r
}
