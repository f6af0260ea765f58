package infrastructure

// All returns the providers in the order of their first kinds.
func All() []Provider {
	var all []Provider
	for _, e := range entries {
		if p := e.build(); p.Kinds[0] == e.kind {
			all = append(all, p)
		}
	}
	return all
}
