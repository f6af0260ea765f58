package specs

// Source is how a spec is published.
type Source string

// The sources.
const (
	// FromFile is an object in a file.
	FromFile Source = "file"
	// FromKustomization is an object in the result of a kustomization, whose path is that of the kustomization.yaml.
	FromKustomization Source = "kustomization"
	// FromPatches is a template with the patches of a ClusterClass.
	FromPatches Source = "patches"
)

// Sources returns all sources.
func Sources() []Source { return []Source{FromFile, FromKustomization, FromPatches} }

// Description describes the specs of the source.
func (s Source) Description() string {
	return map[Source]string{
		FromFile:          "objects in files",
		FromKustomization: "objects in the results of kustomizations",
		FromPatches:       "templates with patches of ClusterClasses",
	}[s]
}
