package migrate

// classPatches converts the patches of a ClusterClass.
func (c *conversion) classPatches(d *manifest) {
	for _, patch := range d.field().get("spec", "patches").items() {
		for _, definition := range patch.get("definitions").items() {
			selector := definition.get("selector")
			if _, ok := kindOf(groupOf(selector), selector.get("kind").text()); !ok {
				continue
			}
			for _, p := range definition.get("jsonPatches").items() {
				path := p.get("path")
				path.add(path, Decision, "this path is that of the old object; write the path of the new one")
			}
		}
	}
}
