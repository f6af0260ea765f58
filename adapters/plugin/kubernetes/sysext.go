package kubernetes

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// extensions fetches system extension images, links them where systemd-sysext(8) looks, and merges them into /usr.
//
// The link's name is the extension's; the image keeps its version, so that a newer one can be beside it. Where the
// files are in place before the machine boots (Ignition), systemd-sysext.service has merged them already; elsewhere it
// happens at once, in the file phase, because later phases need the units. A preset cannot enable units of an
// extension, since it is applied before they are there; a target that upholds them starts them whenever they appear.
func extensions(q request) ([]action.Operation, report.Report) {
	if len(q.config.Artifacts) == 0 {
		return nil, report.Report{report.Errorf(q.at.Field("artifacts"),
			"%s gets Kubernetes by a system extension, and none is given",
			q.target.Profile.Name).
			To("give an artifact: name, URL and digest of an image that contains kubelet and kubeadm%s, or set provision to "+
				"Image if the machine's image contains them", runtimeToo(q))}
	}
	var operations []action.Operation
	var r report.Report
	var names []string
	for i, a := range q.config.Artifacts {
		name := strings.TrimSuffix(a.Name, ".raw")
		from, found := url(q, a, q.at.Field("artifacts").Index(i), sysextArchitecture(q.target))
		r = append(r, found...)
		image, link := places(q.target, name)
		operations = append(operations, fetch(a, from, image, machine.DefaultFileMode),
			action.Link{Path: link, Target: image})
		names = append(names, name)
	}
	merge := action.RunCommand{
		Name: "merge system extensions", Script: mergeScript(names), When: document.PhaseFile,
		Renew: refresh,
	}
	return append(operations, merge, expand.Enabled("systemd-sysext.service"), upholder(q.target.Runtime(q.others))), r
}

func runtimeToo(q request) string {
	if q.target.Runtime(q.others) == osprofile.RuntimeCRIO {
		return ", and CRI-O"
	}
	return ""
}

func sysextArchitecture(t osprofile.Target) string {
	if spelled, ok := t.Profile.SysextArch[t.Architecture]; ok {
		return spelled
	}
	return t.Architecture
}

// places returns the paths of an image and its link: on Fedora CoreOS below /var/lib, as its documentation has it,
// elsewhere below /opt and /etc.
func places(t osprofile.Target, name string) (image, link string) {
	parts := slices.DeleteFunc([]string{name, t.KubernetesVersion, sysextArchitecture(t)}, func(s string) bool {
		return s == ""
	})
	file := strings.Join(parts, "-") + ".raw"
	if t.Profile.Family == osprofile.FamilyCoreOS {
		return path.Join("/var/lib/extensions.d", file), path.Join("/var/lib/extensions", name+".raw")
	}
	return path.Join("/opt/extensions", name, file), path.Join("/etc/extensions", name+".raw")
}

// refresh merges the extensions that there are, and no others.
const refresh = "systemd-sysext refresh && systemctl daemon-reload"

// mergeScript leaves /usr alone when all extensions are merged. Artifacts' names need no quoting: they are letters,
// digits, dots, dashes, underscores and plus signs.
func mergeScript(names []string) string {
	var tests []string
	for _, name := range names {
		tests = append(tests, "test -e /usr/lib/extension-release.d/extension-release."+name)
	}
	return strings.Join(tests, " && ") + " || { " + refresh + "; }"
}

// upholder has the target that every machine boots into start kubelet, and CRI-O where it comes with the extension.
func upholder(r osprofile.ContainerRuntime) action.EnsureUnit {
	units := "kubelet.service"
	if r == osprofile.RuntimeCRIO {
		units = "crio.service " + units
	}
	return action.EnsureUnit{Unit: machine.Unit{Name: "multi-user.target", DropIns: []machine.DropIn{{
		Name: "50-machineadm-kubernetes.conf", Content: document.Text("[Unit]\nUpholds=" + units + "\n"),
	}}}}
}
