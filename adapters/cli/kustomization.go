package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"time"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/machineadm/machineadm/domain/report"
)

var (
	// repositoryPattern matches a directory that kustomize gets with git. git executes programs that its arguments name.
	repositoryPattern = regexp.MustCompile(`(?i)^(git::)*([a-z][a-z0-9+.-]*://|[^/\\:\s]*@|github\.com[/:])`)
	// downloadPattern matches a file that kustomize fetches, perhaps after the key of a generator.
	downloadPattern = regexp.MustCompile(`(?i)^([^=\s]*=)?https?://`)
	// pluginFilePattern matches the fields of plugins of kustomize that name files.
	pluginFilePattern = regexp.MustCompile(`(?i)^(paths?|files|envs?|valuesFile|additionalValuesFiles)$`)
)

const (
	// maxBuildMemory is the limit of the memory while a kustomization is built. A few lines need any amount: aliases of
	// aliases, patches that copy a value into itself, and bases that several overlays share.
	maxBuildMemory = 2 << 30
	// buildInterval is the time between two checks of the memory.
	buildInterval = 10 * time.Millisecond
)

// buildKustomization builds a kustomization of local files. It starts no program, and fetches nothing that a
// kustomization names. Errors of kustomize quote manifests, which may contain secrets. A build that exceeds the limit
// of the memory or that the context ends continues in the background: the program must exit.
func buildKustomization(ctx context.Context, directory string, limit uint64) (source, error) {
	disk := &localFiles{FileSystem: filesys.MakeFsOnDisk()}
	if repositoryPattern.MatchString(directory) {
		return source{}, remoteError("--kustomize")
	}
	var data []byte
	finished := make(chan error, 1)
	go func() {
		built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, directory)
		if err == nil {
			data, err = built.AsYaml()
		}
		finished <- err
	}()
	err := waitBelow(ctx, limit, finished)
	var unfinished unfinishedError
	switch {
	case errors.As(err, &unfinished):
		return source{}, fmt.Errorf("build the kustomization %s: %w", directory, err)
	case disk.refused != nil:
		return source{}, disk.refused
	case err != nil:
		return source{}, fmt.Errorf("build the kustomization %s: %w", directory, report.Quiet(err))
	}
	return source{filepath.Join(directory, "kustomization"), data}, nil
}

// unfinishedError means that a build continues in the background.
type unfinishedError struct{ error }

// Unwrap returns the reason.
func (e unfinishedError) Unwrap() error { return e.error }

// waitBelow returns the error of the build that sends it, or an unfinishedError when the context ends or the objects of
// the program exceed the limit.
func waitBelow(ctx context.Context, limit uint64, finished <-chan error) error {
	tick := time.NewTicker(buildInterval)
	defer tick.Stop()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case err := <-finished:
			return err
		case <-ctx.Done():
			return unfinishedError{ctx.Err()}
		case <-tick.C:
			if metrics.Read(heap); heap[0].Value.Uint64() > limit {
				return unfinishedError{fmt.Errorf("it needs more than %d MiB of memory; use fewer aliases, copies and bases, or "+
					"build it before: kubectl kustomize DIRECTORY | machineadmctl … -f -", limit>>20)}
			}
		}
	}
}

// remoteError is the error about a field. Its value may contain a password.
func remoteError(field string) error {
	return fmt.Errorf("%s is not a local file or directory, and machineadmctl fetches nothing for a kustomization; "+
		"build it before: kubectl kustomize DIRECTORY | machineadmctl … -f -", field)
}

// localFiles are the files of the disk. A kustomization that names anything else cannot be read.
type localFiles struct {
	filesys.FileSystem

	// refused is the first error: kustomize ignores errors of kustomization files.
	refused error
}

// ReadFile returns the content of a file. Any file can be a kustomization, by a symbolic link. kustomize itself refuses
// a kustomization that cannot be decoded.
func (l *localFiles) ReadFile(path string) ([]byte, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var k types.Kustomization
	if k.Unmarshal(text) != nil {
		k = types.Kustomization{}
	}
	for _, f := range fieldsWithFiles(k) {
		for i, value := range f.values {
			if !f.remote.MatchString(value) && !(f.plugins && l.pluginFetches(filepath.Dir(path), value)) {
				continue
			}
			if l.refused == nil {
				l.refused = remoteError(fmt.Sprintf("%s: entry %d of %s", path, i+1, f.name))
			}
			return nil, l.refused
		}
	}
	return text, nil
}

// pluginFetches reports whether a plugin of kustomize may fetch a file. The value is its configuration, or the name of
// a file of it. A directory is refused: its kustomization can change the names of files.
func (l *localFiles) pluginFetches(directory, value string) bool {
	name := filepath.Join(directory, value)
	if filepath.IsAbs(value) {
		name = value
	}
	if l.IsDir(name) {
		return true
	}
	texts := [][]byte{[]byte(value)}
	if text, err := readFile(name); err == nil {
		texts = append(texts, text)
	}
	for _, text := range texts {
		nodes, err := kio.FromBytes(text)
		if err != nil {
			continue // kustomize refuses it, too
		}
		for _, node := range nodes {
			var config any
			if err := node.YNode().Decode(&config); err != nil || namesDownload(config, false) {
				return true
			}
		}
	}
	return false
}

// namesDownload reports whether a field of files of a plugin's configuration contains a URL.
func namesDownload(value any, files bool) bool {
	switch v := value.(type) {
	case string:
		return files && downloadPattern.MatchString(v)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return namesDownload(e, files) })
	case map[string]any:
		for name, e := range v {
			if namesDownload(e, files || pluginFilePattern.MatchString(name)) {
				return true
			}
		}
	}
	return false
}

// fileField is a field of a kustomization that contains the names of files or directories, or their text.
type fileField struct {
	name   string
	remote *regexp.Regexp
	values []string
	// plugins means that the values configure plugins, or name files that do.
	plugins bool
}

// fieldsWithFiles returns the fields of which kustomize reads files or directories.
func fieldsWithFiles(k types.Kustomization) []fileField {
	var fields []fileField
	add := func(remote *regexp.Regexp, name string, values ...string) {
		fields = append(fields, fileField{name: name, remote: remote, values: values})
	}
	plugins := func(name string, values []string) {
		fields = append(fields, fileField{name, repositoryPattern, values, true})
	}
	add(repositoryPattern, "resources", k.Resources...)
	add(repositoryPattern, "components", k.Components...)
	add(repositoryPattern, "bases", k.Bases...) //nolint:staticcheck // kustomize reads it
	plugins("generators", k.Generators)
	plugins("transformers", k.Transformers)
	plugins("validators", k.Validators)
	add(downloadPattern, "crds", k.Crds...)
	add(downloadPattern, "configurations", k.Configurations...)
	add(downloadPattern, "openapi", k.OpenAPI["path"])
	for _, p := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // kustomize reads it
		add(downloadPattern, "patches", p.Path)
	}
	for _, p := range k.PatchesStrategicMerge { //nolint:staticcheck // kustomize reads it
		add(downloadPattern, "patchesStrategicMerge", string(p))
	}
	for _, r := range k.Replacements {
		add(downloadPattern, "replacements", r.Path)
	}
	generators := make([]types.KvPairSources, 0, len(k.ConfigMapGenerator)+len(k.SecretGenerator))
	for _, g := range k.ConfigMapGenerator {
		generators = append(generators, g.KvPairSources)
	}
	for _, g := range k.SecretGenerator {
		generators = append(generators, g.KvPairSources)
	}
	for _, g := range generators {
		add(downloadPattern, "the files of a generator", slices.Concat(g.FileSources, g.EnvSources, []string{g.EnvSource})...)
	}
	return fields
}
