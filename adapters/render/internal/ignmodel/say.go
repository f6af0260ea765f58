package ignmodel

// Each says every element of a list; none is nil, which leaves the key out.
func Each[A, B any](list []A, say func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = say(a)
	}
	return out
}

// Set returns nil for an empty value, which leaves the key out.
func Set[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
