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
	spec.get("hostname", "source").report(NoCounterpart, "the host name is that of the platform; set it with a snippet")
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
