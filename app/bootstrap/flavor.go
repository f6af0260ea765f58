package bootstrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// FlavorAnnotation says on a Cluster what its control plane is made of: Kubeadm or Talos. Without it the flavor follows
// from the control plane itself.
const FlavorAnnotation = "bootstrap.machineadm.io/control-plane-flavor"

// Evidence is what tells a cluster's flavor, the strongest first.
type Evidence struct {
	// Setting is the value of FlavorAnnotation; empty if the Cluster has none.
	Setting string
	// Provider is the kind of the object that runs the control plane, such as KubeadmControlPlane; empty if its machines
	// stand alone.
	Provider string
	// Machines are the control plane machines that stand alone, the oldest first.
	Machines []Evident
}

// Evident is what a control plane machine tells.
type Evident struct {
	// Name is the machine's.
	Name string
	// Config is the kind of the object that describes it, such as KubeadmConfig.
	Config string
	// Distribution is its operating system; empty if it is not known.
	Distribution string
}

// ControlPlane is what a cluster's control plane is made of.
type ControlPlane struct {
	// Flavor is FlavorKubeadm unless something tells otherwise.
	Flavor node.Flavor
	// Because says by what it is known.
	Because string
	// Problem says what is wrong with the setting; empty if nothing is.
	Problem string
}

// Judge returns the flavor that the evidence tells. Kinds of others are known by their names: KubeadmControlPlane and
// KubeadmConfig, TalosControlPlane and TalosConfig. A control plane that tells nothing is taken to be kubeadm's, which
// is what managed ones make themselves look like.
func Judge(e Evidence) ControlPlane {
	if e.Setting != "" {
		return judgeSetting(e.Setting)
	}
	if e.Provider != "" {
		return ControlPlane{Flavor: flavorOfKind(e.Provider), Because: "it is run by a " + e.Provider}
	}
	for _, m := range e.Machines {
		if profile, known := osprofile.Lookup(m.Distribution); known {
			because := fmt.Sprintf("its machine %s runs %s", m.Name, profile.Name)
			return ControlPlane{Flavor: profile.Flavor(), Because: because}
		}
		if m.Distribution == "" && m.Config != "" {
			because := fmt.Sprintf("its machine %s is described by a %s", m.Name, m.Config)
			return ControlPlane{Flavor: flavorOfKind(m.Config), Because: because}
		}
	}
	return ControlPlane{Flavor: node.FlavorKubeadm, Because: "nothing says otherwise"}
}

func judgeSetting(setting string) ControlPlane {
	c := ControlPlane{Flavor: node.Flavor(setting), Because: "the annotation " + FlavorAnnotation + " says so"}
	if slices.Contains(node.Flavors(), c.Flavor) {
		return c
	}
	names := make([]string, 0, len(node.Flavors()))
	for _, f := range node.Flavors() {
		names = append(names, string(f))
	}
	c.Problem = fmt.Sprintf("the annotation %s on the Cluster is %q; set it to %s, or remove it", FlavorAnnotation,
		setting, strings.Join(names, " or "))
	return c
}

func flavorOfKind(kind string) node.Flavor {
	if strings.HasPrefix(kind, "Talos") {
		return node.FlavorTalos
	}
	return node.FlavorKubeadm
}

// cannotJoin returns why machines of the profile neither join the cluster nor start it.
func cannotJoin(p osprofile.Profile, c ControlPlane) report.Report {
	// An operating system that is not known has a finding of its own.
	if p.Flavor() == c.flavor() || p.ID == "" {
		return nil
	}
	why, remedy := "has none of the ConfigMaps cluster-info and kubeadm-config, which kubeadm join reads",
		"choose the operating system talos"
	if p.Flavor() == node.FlavorTalos {
		why, remedy = "runs no trustd, of which Talos machines get their certificates",
			"choose an operating system other than talos"
	}
	return report.Report{report.Errorf("spec.os", "%s cannot be in this cluster: its control plane is of "+
		"the flavor %s (%s) and %s", p.Name, c.flavor(), c.Because, why).
		To("%s, or if the flavor is wrong set the annotation %s on the Cluster", remedy, FlavorAnnotation)}
}

// flavor returns the flavor; that of a request which tells none is kubeadm's.
func (c ControlPlane) flavor() node.Flavor {
	if c.Flavor == "" {
		return node.FlavorKubeadm
	}
	return c.Flavor
}
