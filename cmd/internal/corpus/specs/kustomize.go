package specs

import (
	"context"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// worktree is the files of a repository that its kustomizations need.
type worktree struct {
	repository Repository
	// paths are those of all files, and folders are the folders that contain some.
	paths, folders map[string]bool
	content        map[string]string
}

func readWorktree(ctx context.Context, r Repository) (*worktree, error) {
	all, err := r.Files(ctx)
	if err != nil {
		return nil, err
	}
	w := &worktree{repository: r, paths: map[string]bool{}, folders: map[string]bool{}, content: map[string]string{}}
	for _, p := range all {
		w.paths[p] = true
		for folder := path.Dir(p); !w.folders[folder]; folder = path.Dir(folder) {
			w.folders[folder] = true
		}
	}
	for p := range r.Copies {
		w.paths[p] = true
	}
	return w, nil
}

// kustomization returns the path of the file that makes a folder a kustomization, or an empty path.
func (w *worktree) kustomization(folder string) string {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if p := path.Join(folder, name); w.paths[p] {
			return p
		}
	}
	return ""
}

// scpAddress matches the beginning of a git address in the notation of scp, such as git@example.com:owner/name. Digests
// of images contain no slash after the colon.
var scpAddress = regexp.MustCompile(`^[\w.-]+@[\w.-]+:[\w.~-]*/`)

// closure is what the build of a kustomization reads.
type closure struct {
	files   map[string]bool
	servers []string
}

// add adds the kustomization of a folder, and all files and folders that its values name.
func (w *worktree) add(ctx context.Context, folder string, c *closure) error {
	p := w.kustomization(folder)
	if p == "" || c.files[p] {
		return nil
	}
	if err := w.load(ctx, p, c); err != nil {
		return err
	}
	var object any
	// The build reports text that is not YAML.
	_ = yaml.Unmarshal([]byte(w.content[p]), &object)
	for _, value := range scalars(object) {
		if !strings.Contains(value, "\n") && (strings.Contains(value, "://") || scpAddress.MatchString(value)) {
			c.servers = append(c.servers, value)
		}
		_, after, _ := strings.Cut(value, "=") // KEY=FILE of a generator
		for _, name := range []string{value, after} {
			target := path.Join(folder, name)
			var err error
			switch {
			case name == "" || len(name) > 4096:
			case w.paths[target]:
				err = w.load(ctx, target, c)
			case w.folders[target] && target != folder:
				err = w.add(ctx, target, c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *worktree) load(ctx context.Context, p string, c *closure) error {
	c.files[p] = true
	if _, loaded := w.content[p]; loaded {
		return nil
	}
	source, isCopy := w.repository.Copies[p]
	if !isCopy {
		source = p
	}
	if source == "" {
		w.content[p] = ""
		return nil
	}
	return w.repository.Read(ctx, []string{source}, func(_ string, content []byte) error {
		w.content[p] = string(content)
		return nil
	})
}

// scalars returns all texts of a value.
func scalars(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = append(out, scalars(e)...)
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, scalars(e)...)
		}
	}
	return out
}

// mentions reports whether one of the files contains one of the kinds.
func (w *worktree) mentions(c closure) bool {
	for p := range c.files {
		if kind.MatchString(w.content[p]) {
			return true
		}
	}
	return false
}

// build returns the manifests of a kustomization. Only files of the closure exist, and no server is asked.
func (w *worktree) build(folder string, c closure, change func(string) string) (string, error) {
	disk := filesys.MakeFsInMemory()
	for p := range c.files {
		if err := disk.WriteFile("/"+p, []byte(change(w.content[p]))); err != nil {
			return "", err
		}
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	resources, err := krusty.MakeKustomizer(options).Run(disk, "/"+folder)
	if err != nil {
		return "", err
	}
	text, err := resources.AsYaml()
	return string(text), err
}

// addKustomizations adds the specs in the results of the repository's kustomizations.
func (f *Found) addKustomizations(ctx context.Context, r Repository) error {
	w, err := readWorktree(ctx, r)
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(w.folders)) {
		name := w.kustomization(folder)
		if name == "" {
			continue
		}
		c := closure{files: map[string]bool{}}
		if err := w.add(ctx, folder, &c); err != nil {
			return err
		}
		if !w.mentions(c) || isComponent(w.content[name]) {
			continue
		}
		text, reason, substituted := w.result(folder, c)
		if reason != "" {
			f.Skipped = append(f.Skipped, Skipped{r.Name, r.Commit, name, 1, reason})
			continue
		}
		f.addFile(ctx, Spec{
			Repository: r.Name, Commit: r.Commit, Path: name, Line: 1, File: text, Source: FromKustomization,
			Substituted: substituted,
		})
		maps.Copy(read, c.files)
	}
	for i, s := range f.Skipped {
		if read[s.Path] {
			f.Skipped[i].Reason += "; the results of the kustomizations that read it are counted"
		}
	}
	return nil
}

// component matches a kustomization that other kustomizations include, and that has no result of its own.
var component = regexp.MustCompile(`(?m)^kind:[ \t]*Component[ \t]*$`)

func isComponent(kustomization string) bool { return component.MatchString(kustomization) }

// result returns the manifests of a kustomization, or the reason why there are none. Its files may be YAML only with
// values for their variables.
func (w *worktree) result(folder string, c closure) (text, reason string, substituted bool) {
	if len(c.servers) > 0 {
		return "", "a kustomization of files of another server", false
	}
	text, err := w.build(folder, c, func(s string) string { return s })
	if err == nil {
		return text, "", false
	}
	text, second := w.build(folder, c, Substitute)
	if second == nil {
		return text, "", true
	}
	if match := missingFile.FindStringSubmatch(err.Error()); match != nil {
		return "", "a kustomization of " + match[1] + ", which is not in the repository", false
	}
	return "", "kustomize: " + firstLine(err.Error()), false
}

var missingFile = regexp.MustCompile(`'/([^']*)' doesn't exist`)
