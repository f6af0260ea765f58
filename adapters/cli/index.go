package cli

// objectKey identifies an object of any version.
type objectKey struct{ group, kind, namespace, name string }

// objectIndex finds objects without reading the others, so that the work for a reference in each object is proportional
// to the number of objects.
type objectIndex map[objectKey]*object

// newObjectIndex returns the index of the objects. The first one of several with the same key is found.
func newObjectIndex(objects []*object) objectIndex {
	index := make(objectIndex, len(objects))
	for _, o := range objects {
		key := objectKey{o.group(), o.Kind, o.Namespace, o.Name}
		if index[key] == nil {
			index[key] = o
		}
	}
	return index
}
