package migrate

import (
	"strings"
)

// The annotations of a KubeadmControlPlane that disable the management of add-ons.
const (
	skipCoreDNS   = "controlplane.cluster.x-k8s.io/skip-coredns"
	skipKubeProxy = "controlplane.cluster.x-k8s.io/skip-kube-proxy"
)

// controlPlaneMoves are the fields of a KubeadmControlPlane, of v1beta1 and of v1beta2, that mean the same in a
// MachineadmControlPlane.
func controlPlaneMoves() []row {
	return []row{
		{"replicas", "replicas"},
		{"version", "version"},
		{"machineTemplate.metadata", "machineTemplate.metadata"},
		{"machineTemplate.spec.readinessGates", "machineTemplate.spec.readinessGates"},
		{"machineTemplate.readinessGates", "machineTemplate.spec.readinessGates"},
		{"machineTemplate.spec.deletion", "machineTemplate.spec.deletion"},
		{"machineTemplate.spec.taints", "machineTemplate.spec.taints"},
		{"machineTemplate.taints", "machineTemplate.spec.taints"},
		{"rollout.before.certificatesExpiryDays", "rollout.before.certificatesExpiryDays"},
		{"rolloutBefore.certificatesExpiryDays", "rollout.before.certificatesExpiryDays"},
		{"rollout.after", "rollout.after"},
		{"rolloutAfter", "rollout.after"},
		{"rollout.strategy.rollingUpdate.maxSurge", "rollout.maxSurge"},
		{"rolloutStrategy.rollingUpdate.maxSurge", "rollout.maxSurge"},
		{"remediation.maxRetry", "remediation.maxRetry"},
		{"remediationStrategy.maxRetry", "remediation.maxRetry"},
		{"remediation.retryPeriodSeconds", "remediation.retryPeriodSeconds"},
		{"remediation.minHealthyPeriodSeconds", "remediation.minHealthyPeriodSeconds"},
		{"machineNaming.template", "machineNaming.template"},
		{"machineNamingStrategy.template", "machineNaming.template"},
	}
}

// controlPlaneDurations are the durations of v1beta1, which are seconds here.
func controlPlaneDurations() []row {
	const deletion = "machineTemplate.spec.deletion."
	return []row{
		{"machineTemplate.nodeDrainTimeout", deletion + "nodeDrainTimeoutSeconds"},
		{"machineTemplate.nodeVolumeDetachTimeout", deletion + "nodeVolumeDetachTimeoutSeconds"},
		{"machineTemplate.nodeDeletionTimeout", deletion + "nodeDeletionTimeoutSeconds"},
		{"remediationStrategy.retryPeriod", "remediation.retryPeriodSeconds"},
		{"remediationStrategy.minHealthyPeriod", "remediation.minHealthyPeriodSeconds"},
	}
}

// controlPlane converts a KubeadmControlPlane.
func (c *conversion) controlPlane(d *manifest) {
	spec := d.field().get("spec")
	if !spec.exists() {
		return
	}
	c.replaceSpec(d, spec, c.controlPlaneSpec(d, spec))
}

// controlPlaneTemplate converts a KubeadmControlPlaneTemplate.
func (c *conversion) controlPlaneTemplate(d *manifest) {
	resource := d.field().get("spec", "template")
	spec := resource.get("spec")
	resource.get("metadata").take()
	if !spec.exists() {
		return
	}
	c.replaceSpec(d, spec, c.controlPlaneSpec(d, spec))
}

func (c *conversion) controlPlaneSpec(d *manifest, spec field) *node {
	out := mapping()
	for _, r := range controlPlaneMoves() {
		move(spec.get(splitPath(r.from)...), out, r.to)
	}
	for _, r := range controlPlaneDurations() {
		duration(spec.get(splitPath(r.from)...), out, r.to)
	}
	for _, path := range []string{"machineTemplate.infrastructureRef", "machineTemplate.spec.infrastructureRef"} {
		c.infrastructureRef(spec.get(splitPath(path)...), out)
	}
	for _, path := range []string{"rolloutStrategy.type", "rollout.strategy.type"} {
		spec.get(splitPath(path)...).report(Note, "this field was removed; machines are always replaced one after the other")
	}
	bootstrap := spec.get("kubeadmConfigSpec")
	set(out, "bootstrap", c.spec(d, bootstrap, roleControlPlane))
	copyComments(bootstrap.key, out, "bootstrap")
	c.addons(d, out)
	sortFields(out, []string{
		"replicas", "version", "machineTemplate", "rollout", "remediation", "machineNaming", "addons", "bootstrap",
	})
	return out
}

// infrastructureRef converts the reference of v1beta1, which has a version and a namespace.
func (c *conversion) infrastructureRef(in field, out *node) {
	if !in.exists() {
		return
	}
	const to = "machineTemplate.spec.infrastructureRef"
	group := in.get("apiGroup")
	if !move(group, out, to+".apiGroup") {
		version := in.get("apiVersion")
		name, _, _ := strings.Cut(version.takeText(), "/")
		set(out, to+".apiGroup", text(name))
		version.add(version, Changed, "apiGroup replaces apiVersion")
	}
	in.get("apiVersion").take()
	move(in.get("kind"), out, to+".kind")
	move(in.get("name"), out, to+".name")
	in.get("namespace").report(Note, "this field was removed; the template is in the namespace of the control plane")
	for _, name := range []string{"uid", "resourceVersion", "fieldPath"} {
		in.get(name).report(Note, "this field was removed; a reference does not need it")
	}
}

// addons converts the annotations that disable the management of add-ons.
func (c *conversion) addons(d *manifest, out *node) {
	annotations := d.field().get("metadata", "annotations")
	for name, to := range map[string]string{skipCoreDNS: "addons.coreDNS", skipKubeProxy: "addons.kubeProxy"} {
		if a := annotations.get(name); a.exists() {
			set(out, to, text("Unmanaged"))
			a.add(a, Changed, "spec.%s: Unmanaged replaces this annotation; remove it", to)
		}
	}
}
