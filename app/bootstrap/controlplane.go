package bootstrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// ControlPlane is the type of a cluster's control plane.
type ControlPlane struct {
	// Type is ControlPlaneKubeadm unless there is evidence for another type.
	Type node.ControlPlaneType
	// Because is the evidence.
	Because string
	// Problem is what is wrong with the annotation, or empty if it is valid.
	Problem string
	// Foreign describes a control plane of the type ControlPlaneForeign.
	Foreign node.ForeignControlPlane
}

// DetectControlPlane returns the type of a control plane. It knows kinds of other providers by their names:
// TalosControlPlane and TalosConfig, and those of node.ForeignControlPlanes. Without evidence, and for all other kinds,
// the type is Kubeadm.
func DetectControlPlane(e ports.ControlPlaneEvidence) ControlPlane {
	if e.Setting != "" {
		return readSetting(e.Setting)
	}
	if e.Provider != "" {
		return ofKind(e.Provider, "it is managed by a "+e.Provider)
	}
	for _, m := range e.Machines {
		if profile, known := osprofile.Lookup(m.Distribution); known {
			because := fmt.Sprintf("its machine %s runs %s", m.Name, profile.Name)
			return ControlPlane{Type: profile.ControlPlaneType(), Because: because}
		}
		if m.Distribution == "" && m.Config != "" {
			return ofKind(m.Config, fmt.Sprintf("its machine %s has a %s", m.Name, m.Config))
		}
	}
	return ControlPlane{Type: node.ControlPlaneKubeadm, Because: "this is the default"}
}

func readSetting(setting string) ControlPlane {
	c := ControlPlane{Type: node.ControlPlaneType(setting), Because: "the annotation " + ports.ControlPlaneTypeAnnotation +
		" sets it"}
	if slices.Contains(node.ControlPlaneTypes(), c.Type) {
		return c
	}
	names := make([]string, 0, len(node.ControlPlaneTypes()))
	for _, t := range node.ControlPlaneTypes() {
		names = append(names, string(t))
	}
	c.Problem = fmt.Sprintf("the annotation %s on the Cluster is %q; set it to %s, or remove it",
		ports.ControlPlaneTypeAnnotation, setting, strings.Join(names, " or "))
	return c
}

// ofKind returns the control plane that an object of the kind manages, or whose machines have configs of the kind.
func ofKind(kind, because string) ControlPlane {
	if strings.HasPrefix(kind, "Talos") {
		return ControlPlane{Type: node.ControlPlaneTalos, Because: because}
	}
	if foreign, known := node.LookupForeignControlPlane(kind); known {
		return ControlPlane{Type: node.ControlPlaneForeign, Because: because, Foreign: foreign}
	}
	return ControlPlane{Type: node.ControlPlaneKubeadm, Because: because}
}

// cannotJoin returns a finding if machines with the profile can neither join the cluster nor start it.
func cannotJoin(p osprofile.Profile, c ControlPlane) report.Report {
	// An unknown operating system has a finding already.
	if p.ControlPlaneType() == c.Type || p.ID == "" {
		return nil
	}
	if c.Type == node.ControlPlaneForeign {
		return report.Report{foreign(c)}
	}
	why, remedy := "has none of the ConfigMaps cluster-info and kubeadm-config, which kubeadm join reads",
		"choose the operating system talos"
	if p.ControlPlaneType() == node.ControlPlaneTalos {
		why, remedy = "does not run trustd, which issues the certificates of Talos machines",
			"choose an operating system other than talos"
	}
	return report.Report{report.Errorf("spec.os", "%s cannot join this cluster: its control plane is of the type %s "+
		"(%s) and %s", p.Name, c.Type, c.Because, why).
		To("%s; if the type is wrong, set the annotation %s on the Cluster", remedy, ports.ControlPlaneTypeAnnotation)}
}

// foreign returns the finding for a machine in a cluster of another distribution.
func foreign(c ControlPlane) report.Finding {
	return report.Errorf("spec", "the machine cannot join this cluster: its control plane is %s (%s), which kubeadm "+
		"cannot join", c.Foreign.Name, c.Because).
		To("%s; if the control plane accepts kubeadm join, set the annotation %s: %s on the Cluster", c.Foreign.Remedy,
			ports.ControlPlaneTypeAnnotation, node.ControlPlaneKubeadm)
}
