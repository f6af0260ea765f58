package kubeadmnames

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// CheckPhases returns findings for names that are not phases of the kubeadm of the minor version, which is 0 if it is
// not known. kubeadm refuses them. The settings of a control plane apply to its first machine, which runs kubeadm init,
// and to the others, which run kubeadm join. Their machines may therefore name the phases of both.
func CheckPhases(p report.Path, phases []string, role node.Role, minor int) report.Report {
	if len(phases) == 0 {
		return nil
	}
	command, names := "kubeadm join", JoinPhases()
	if role.IsControlPlane() {
		command, names = "kubeadm", slices.Concat(InitPhases(), names)
	}
	var r report.Report
	for i, phase := range phases {
		known, exists := find(names, phase, minor)
		switch {
		case exists && known.in(minor):
		case exists:
			r = append(r, report.Errorf(p.Index(i), "%s of Kubernetes %s has no phase %s: %s", command, version(minor), phase,
				known.reason(minor)).To("remove it"))
		case !role.IsControlPlane() && isInitPhase(phase):
			r = append(r, report.Errorf(p.Index(i), "only kubeadm init has the phase %s, and workers run kubeadm join", phase).
				To("remove it"))
		default:
			r = append(r, report.Errorf(p.Index(i), "%s has no phase %q", command, report.Cut(phase, maxCompared)).To(
				"%s", remedy(available(names, minor), phase, topLevel)))
		}
	}
	return r
}

func isInitPhase(phase string) bool {
	_, exists := find(InitPhases(), phase, unknown)
	return exists
}

// topLevel reports whether a phase is not a part of another one.
func topLevel(phase string) bool { return !strings.Contains(phase, "/") }

// SkipPhases returns those of the phases that the command of the role has, because kubeadm refuses the others. A
// machine with the role Init runs kubeadm init, and others run kubeadm join.
func SkipPhases(phases []string, role node.Role, minor int) []string {
	names := JoinPhases()
	if role == node.RoleInit {
		names = InitPhases()
	}
	var skipped []string
	for _, phase := range phases {
		if n, exists := find(names, phase, minor); exists && n.in(minor) {
			skipped = append(skipped, phase)
		}
	}
	return skipped
}

// CheckPreflight returns findings for names that are not preflight checks of the kubeadm of the minor version, which is
// 0 if it is not known. kubeadm ignores them, and it accepts no name besides all.
func CheckPreflight(p report.Path, checks []string, minor int) report.Report {
	if len(checks) == 0 {
		return nil
	}
	names, lower := Checks(), lowered(Checks())
	var r report.Report
	for i, check := range checks {
		known, exists := find(lower, strings.ToLower(check), minor)
		switch {
		case exists && known.in(minor):
		case exists:
			r = append(r, report.Warningf(p.Index(i), "kubeadm of Kubernetes %s has no preflight check %s, so that this has "+
				"no effect: %s", version(minor), check, known.reason(minor)).To("remove it"))
		default:
			r = append(r, report.Warningf(p.Index(i), "kubeadm has no preflight check %q, so that this has no effect",
				report.Cut(check, maxCompared)).To("%s", remedy(available(names, minor), check, every)))
		}
		if len(checks) > 1 && strings.EqualFold(check, all) {
			r = append(r, report.Errorf(p.Index(i), "kubeadm does not accept other checks besides all").To(
				"remove all, or the others"))
		}
	}
	return r
}

// lowered returns the names in lower case, because kubeadm compares the names of checks without case.
func lowered(names []Name) []Name {
	for i := range names {
		names[i].Text = strings.ToLower(names[i].Text)
	}
	return names
}

func every(string) bool { return true }

// CheckGates returns findings for names that are not feature gates of the kubeadm of the minor version, which is 0 if
// it is not known. kubeadm refuses them.
func CheckGates(p report.Path, gates []node.FeatureGate, minor int) report.Report {
	var r report.Report
	for i, g := range gates {
		known, exists := find(Gates(), g.Name, minor)
		switch {
		case exists && known.in(minor):
		case exists:
			r = append(r, report.Errorf(p.Index(i), "kubeadm of Kubernetes %s has no feature gate %s: %s", version(minor),
				g.Name, known.reason(minor)).To("remove it"))
		default:
			r = append(r, report.Errorf(p.Index(i), "%q is not a feature gate of kubeadm", report.Cut(g.Name, maxCompared)).To(
				"%s; write gates of components in their extraArgs or in kubelet.config",
				remedy(available(Gates(), minor), g.Name, every)))
		}
	}
	return r
}

// remedy returns the similar name to use, or else the listed names.
func remedy(texts []string, text string, listed func(string) bool) string {
	if near := nearest(texts, text); near != "" {
		return "use " + near
	}
	return "use one of " + strings.Join(slices.DeleteFunc(texts, func(t string) bool { return !listed(t) }), ", ")
}
