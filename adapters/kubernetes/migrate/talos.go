package migrate

import "go.yaml.in/yaml/v3"

// talosTemplate converts a TalosConfigTemplate. Its patches are snippets of the format talos.
func (c *conversion) talosTemplate(d *manifest) {
	resource := d.field().get("spec", "template")
	resource.get("metadata").take()
	spec := resource.get("spec")
	out := mapping()
	os := put(mapping(), "distribution", text("talos"))
	c.talosVersion(spec.get("talosVersion"), os)
	put(out, "os", os)
	switch kind := spec.get("generateType"); kind.text() {
	case "worker", "join", "controlplane":
		kind.report(Note, "this field was removed; the Machine determines the role")
	case "":
	default:
		kind.report(NoCounterpart, "machineadm creates the configuration itself; use worker or controlplane")
	}
	spec.get("data").report(NoCounterpart, "a complete configuration cannot be set; write the differences as snippets")
	talosHostname(spec.get("hostname", "source"), out)
	// The provider applies JSON patches first (genConfigs in controllers/talosconfig_controller.go of CABPT).
	if patches := spec.get("configPatches"); len(patches.items()) > 0 {
		body, err := yaml.Marshal(patches.take())
		if err != nil {
			patches.report(NoCounterpart, "the patches cannot be written as a text; write them to spec.formatOptions.snippets")
		}
		extend(out, "formatOptions.snippets", put(mapping(), "text", text(string(body))))
		patches.add(patches, Changed, "the patches are a snippet now")
	}
	for _, p := range spec.get("strategicPatches").items() {
		extend(out, "formatOptions.snippets", put(mapping(), "text", p.take()))
	}
	c.replaceSpec(d, spec, out)
}

// talosHostname converts the source of the host name. Cluster API names the infrastructure object of a Machine that it
// creates after the Machine (createMachine in internal/controllers/machineset of Cluster API).
func talosHostname(in field, out *node) {
	switch in.text() {
	case "":
		in.take()
		return
	case "MachineName":
		in.take()
	case "InfrastructureName":
		in.report(Decision, "the host name is that of the Machine now, which is also that of its infrastructure object; "+
			"remove spec.node.nameParts if you create Machines yourself, with other names")
	default:
		in.report(NoCounterpart, "write the host name to spec.node.name or spec.node.nameParts")
		return
	}
	extend(out, "node.nameParts", put(mapping(), "fact", text("machineName")))
}

// talosVersion converts the version, such as v1.9.
func (c *conversion) talosVersion(in field, os *node) {
	version := in.text()
	if version == "" {
		version = c.options.OS.Version
	}
	if version != "" {
		put(os, "version", quoted(trimVersion(version)))
	}
	in.take()
}
