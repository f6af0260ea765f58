package ignmodel

// Each converts every element of a list. It returns nil for an empty list, which omits the key.
func Each[A, B any](list []A, convert func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = convert(a)
	}
	return out
}

// Set returns nil for an empty value, which omits the key.
func Set[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
