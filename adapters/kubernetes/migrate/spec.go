package migrate

import (
	"cmp"
	"slices"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// role is the role of the machines of a spec.
type role int

const (
	roleWorker role = iota
	roleControlPlane
)

// specs converts one KubeadmConfigSpec.
type specs struct {
	*conversion
	in   field
	out  *node
	role role
	os   OS
	// name is the name of the manifest.
	name string
	// facts are the files with facts of the machine that commands read, by their paths.
	facts map[fact]bool
	// telling means that commands or files test whether the machine creates the cluster.
	telling bool
	// started are units that kubeadm.service required.
	started []string
}

// row moves the value of a field unchanged.
type row struct{ from, to string }

// plainRows are the fields of a KubeadmConfigSpec whose values mean the same in a MachineBootstrapConfigSpec.
func plainRows() []row {
	return []row{
		{"verbosity", "node.verbosity"},
	}
}

// controlPlaneRows are those fields of clusterConfiguration that only machines of the control plane have.
func controlPlaneRows() []row {
	return []row{
		{"apiServer.certSANs", "controlPlane.apiServer.certSANs"},
		{"etcd.local.imageRepository", "controlPlane.etcd.local.imageRepository"},
		{"etcd.local.imageTag", "controlPlane.etcd.local.imageTag"},
		{"etcd.local.dataDir", "controlPlane.etcd.local.dataDir"},
		{"etcd.local.serverCertSANs", "controlPlane.etcd.local.serverCertSANs"},
		{"etcd.local.peerCertSANs", "controlPlane.etcd.local.peerCertSANs"},
		{"etcd.external.endpoints", "controlPlane.etcd.external.endpoints"},
		{"dns.imageRepository", "controlPlane.coreDNS.imageRepository"},
		{"dns.imageTag", "controlPlane.coreDNS.imageTag"},
		{"certificatesDir", "node.certificatesDir"},
		{"imageRepository", "controlPlane.imageRepository"},
		{"featureGates", "controlPlane.featureGates"},
		{"certificateValidityPeriodDays", "controlPlane.certificates.validityDays"},
		{"caCertificateValidityPeriodDays", "controlPlane.certificates.caValidityDays"},
		{"encryptionAlgorithm", "controlPlane.certificates.algorithm"},
	}
}

// clusterNotes are the fields of clusterConfiguration whose values come from other objects here, with the remedy.
func clusterNotes() []row {
	return []row{
		{"networking.serviceSubnet", "spec.clusterNetwork.services.cidrBlocks of the Cluster"},
		{"networking.podSubnet", "spec.clusterNetwork.pods.cidrBlocks of the Cluster"},
		{"networking.dnsDomain", "spec.clusterNetwork.serviceDomain of the Cluster"},
		{"controlPlaneEndpoint", "spec.controlPlaneEndpoint of the Cluster"},
		{"kubernetesVersion", "spec.version of the Machine or the control plane"},
		{"clusterName", "the name of the Cluster"},
	}
}

// spec converts a KubeadmConfigSpec and returns the MachineBootstrapConfigSpec.
func (c *conversion) spec(d *manifest, in field, r role) *node {
	s := &specs{conversion: c, in: in, out: mapping(), role: r, facts: map[fact]bool{}}
	s.name = cmp.Or(d.field().get("metadata", "name").text(), "cluster")
	s.os = c.systemOf(d, in)
	s.moves(in, plainRows())
	s.cluster(in.get("clusterConfiguration"))
	s.nodeSettings()
	s.patches()
	s.ignition(in.get("ignition", "containerLinuxConfig"))
	s.storage()
	s.files()
	s.users()
	s.commands()
	s.timeSync(in.get("ntp"))
	in.get("useExperimentalRetryJoin").report(Note,
		"this field was removed; machineadm runs kubeadm, which retries itself")
	s.factFiles()
	s.finish()
	return s.out
}

func (s *specs) moves(in field, rows []row) {
	for _, r := range rows {
		move(in.get(splitPath(r.from)...), s.out, r.to)
	}
}

// cluster converts clusterConfiguration, which workers ignore.
func (s *specs) cluster(in field) {
	for _, name := range []string{"apiVersion", "kind"} {
		in.get(name).report(Note, "this field was removed; it has no meaning here")
	}
	if s.role == roleWorker {
		for _, c := range in.children() {
			c.report(Note, "this field was removed; machines that join as workers ignore it")
		}
		return
	}
	for _, n := range clusterNotes() {
		in.get(splitPath(n.from)...).report(Note,
			"this field was removed; the value is that of %s, check that it is the same",
			n.to)
	}
	s.certSANs(in.get("apiServer"))
	s.moves(in, controlPlaneRows())
	s.etcdFiles(in.get("etcd", "external"))
	s.timeoutForControlPlane(in.get("apiServer", "timeoutForControlPlane"))
	for _, component := range []string{"apiServer", "controllerManager", "scheduler"} {
		s.component(in.get(component), "controlPlane."+component)
	}
	s.component(in.get("etcd", "local"), "controlPlane.etcd.local")
}

// etcdFiles removes the paths of the files for an external etcd. Both providers write the files from Secrets,
// machineadm only if the spec has no paths (cluster-api v1.14.2, util/secret/certificates.go).
func (s *specs) etcdFiles(in field) {
	const client = "apiserver-etcd-client"
	for _, f := range []row{{"caFile", "etcd"}, {"certFile", client}, {"keyFile", client}} {
		in.get(f.from).report(Changed, "the path was removed; the file of the Secret CLUSTER-%s is in the directory of "+
			"certificates", f.to)
	}
}

// certSANs removes the names and addresses that kubeadm adds to the certificate of each machine. Other control plane
// machines read the rest of the names from a ConfigMap of the first one, so that no fact can replace a placeholder.
func (s *specs) certSANs(server field) {
	in := server.get("certSANs")
	var remaining []*node
	for _, name := range in.items() {
		found, unknown := pieces(name.text())
		switch {
		case len(found) == 1 && slices.Contains([]fact{factHostname, factShortHostname, factPrivateIPv4}, found[0].fact):
			name.report(Changed, "kubeadm adds the %s of each machine itself, so it was removed", found[0].fact)
			continue
		case len(unknown) > 0 || hasFact(found):
			name.add(name, NoCounterpart, "facts cannot be in certSANs: all control plane machines would get the value of "+
				"the first one; write the name or the address, such as that of a load balancer")
		}
		remaining = append(remaining, name.node)
	}
	switch n := len(in.items()); {
	case n > 0 && len(remaining) == 0:
		remove(server.node, "certSANs")
	case n > len(remaining):
		in.node.Content = remaining
	}
}

// timeoutForControlPlane converts the timeout of v1beta1, which kubeadm calls controlPlaneComponentHealthCheck today.
func (s *specs) timeoutForControlPlane(in field) {
	s.duration(in, s.out, "node.timeouts.controlPlaneComponentHealthCheckSeconds")
}

// component converts the settings that the components of the control plane have in common.
func (s *specs) component(in field, to string) {
	if args := s.arguments(in.get("extraArgs")); len(args) > 0 {
		set(s.out, to+".extraArgs", list())
		for _, a := range args {
			extend(s.out, to+".extraArgs", a.node())
		}
		copyComments(in.get("extraArgs").key, s.out, to+".extraArgs")
	}
	for _, v := range in.get("extraVolumes").items() {
		out := mapping()
		for _, name := range []string{"name", "hostPath", "mountPath", "readOnly", "pathType"} {
			move(v.get(name), out, name)
		}
		out.HeadComment = v.node.HeadComment
		extend(s.out, to+".extraVolumes", out)
	}
	for _, e := range in.get("extraEnvs").items() {
		from := e.get("valueFrom")
		from.report(NoCounterpart, "the environment variables of components have only values; set value")
		if from.exists() && !e.get("value").exists() {
			// Without its value, the variable would be empty.
			e.get("name").take()
			continue
		}
		out := mapping()
		move(e.get("name"), out, "name")
		move(e.get("value"), out, "value")
		extend(s.out, to+".extraEnvs", out)
	}
	s.opaque(in, to, "extraArgs", "extraVolumes", "extraEnvs")
}

// opaque moves values that are not of the type of the field, such as a variable for a whole list.
func (s *specs) opaque(in field, to string, names ...string) {
	for _, name := range names {
		f := in.get(name)
		if f.exists() && f.text() != "" && !f.used[f.node] {
			move(f, s.out, to+"."+name)
			f.add(f, Decision, "a text replaces the whole value; make sure that it has the form of %s.%s", to, name)
		}
	}
}

// finish adds the operating system and its format, and sorts the fields.
func (s *specs) finish() {
	s.format(s.in.get("format"))
	os := mapping()
	put(os, "distribution", text(s.os.Distribution))
	if s.os.Version != "" {
		put(os, "version", quoted(s.os.Version))
	}
	if p, ok := osprofile.Lookup(s.os.Distribution); ok && needsImage(p) {
		set(s.out, "machine.kubernetes.provision", text("Image"))
	}
	putFirst(s.out, "os", os)
	order := []string{"os", "format", "formatOptions", "node", "controlPlane", "machine"}
	sortFields(s.out, order)
}

// sortFields sorts the fields of a mapping by a list of names.
func sortFields(m *node, order []string) {
	var pairs [][2]*node
	for i := 0; i+1 < len(m.Content); i += 2 {
		pairs = append(pairs, [2]*node{m.Content[i], m.Content[i+1]})
	}
	slices.SortStableFunc(pairs, func(a, b [2]*node) int {
		return slices.Index(order, a[0].Value) - slices.Index(order, b[0].Value)
	})
	m.Content = nil
	for _, p := range pairs {
		m.Content = append(m.Content, p[0], p[1])
	}
}
