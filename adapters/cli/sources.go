package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/adapters/internal/terminal"
)

const (
	// maxDownload and maxFile are the limits of the bytes of one URL, and of one file or the standard input. The objects
	// of a large cluster need 100 MiB.
	maxDownload, maxFile = 16 << 20, 128 << 20
	// maxManifests is the limit of the bytes of all files, so that a directory of many files does not exhaust the memory.
	maxManifests = 2 * maxFile
	// downloadTimeout is the limit of the time for one URL.
	downloadTimeout = 30 * time.Second
)

// manifestExtensions returns the extensions of the files that are read from a directory.
func manifestExtensions() []string { return []string{".yaml", ".yml", ".json"} }

// source is the content of one file, of the standard input, of a URL or of a kustomization.
type source struct {
	name string
	data []byte
}

// sources are the flags that name manifests.
type sources struct {
	files []string
	// flag is the name of the flag whose values are files; "filename" by default.
	flag          string
	kustomization string
	recursive     bool
	// left is the number of bytes that can still be read.
	left int64
}

func (s *sources) register(c *cobra.Command, what string) {
	f := c.Flags()
	f.StringArrayVarP(&s.files, "filename", "f", nil,
		"file, directory or URL with "+what+", or - for the standard input; can be repeated")
	f.BoolVarP(&s.recursive, "recursive", "R", false, "read the directories of --filename recursively")
	f.StringVarP(&s.kustomization, "kustomize", "k", "", "directory with a kustomization of local files to build")
	cobra.CheckErr(c.MarkFlagFilename("filename", "yaml", "yml", "json"))
	cobra.CheckErr(c.MarkFlagDirname("kustomize"))
}

// require makes the command fail without manifests, and with a file that is not the value of a flag.
func (s *sources) require(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return fmt.Errorf("%s: %q is not a flag; use -f %s", c.CommandPath(), args[0], args[0])
	}
	checkBefore(c, func() error {
		if !s.empty() {
			return nil
		}
		return fmt.Errorf("%s: there is no input; use -f FILE, -f - for the standard input, or -k DIRECTORY", c.CommandPath())
	})
}

func (s *sources) empty() bool { return len(s.files) == 0 && s.kustomization == "" }

// read reads all manifests, in the order of the flags. The standard input is in.
func (s *sources) read(ctx context.Context, in io.Reader) ([]source, error) {
	if err := onceFromStdin(s.files); err != nil {
		return nil, err
	}
	var all []source
	s.left = maxManifests
	for _, name := range s.files {
		found, err := s.readOne(ctx, name, in)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if s.kustomization != "" {
		built, err := buildKustomization(ctx, s.kustomization, maxBuildMemory)
		if err != nil {
			return nil, err
		}
		all = append(all, built)
	}
	return all, nil
}

// onceFromStdin returns an error if the standard input is to be read more than once: it would be empty then.
func onceFromStdin(names []string) error {
	first := slices.Index(names, "-")
	if first < 0 || !slices.Contains(names[first+1:], "-") {
		return nil
	}
	return usageError{errors.New("the standard input (-) can be read only once; use a file for the other manifests")}
}

func (s *sources) readOne(ctx context.Context, name string, in io.Reader) ([]source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return s.readDirectory(name)
	}
	one, err := readSource(ctx, name, in)
	if err == nil {
		err = s.spend(name, one)
	}
	return []source{one}, err
}

// spend returns an error if the source and what was read before it exceed the limit of all manifests.
func (s *sources) spend(name string, one source) error {
	if s.left -= int64(len(one.data)); s.left < 0 {
		return fmt.Errorf("--%s %s: the manifests have more than %d MiB in all; give fewer files, or run the command once "+
			"for each directory", cmp.Or(s.flag, "filename"), terminal.Line(name), maxManifests>>20)
	}
	return nil
}

// readSource reads a file, the standard input or a URL.
func readSource(ctx context.Context, name string, in io.Reader) (source, error) {
	if name == "-" {
		data, err := readLimited("the standard input", in, maxFile)
		return source{"stdin", data}, err
	}
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return download(ctx, name)
	}
	data, err := readFile(name)
	return source{name, data}, err
}

// readFile reads a file, which may be endless, such as a link to a device.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readLimited(name, f, maxFile)
}

// readLimited reads at most limit bytes.
func readLimited(name string, in io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, httpclient.Cause(err))
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s: more than %d MiB; divide it", name, limit>>20)
	}
	return data, nil
}

// readDirectory reads the manifests of a directory, in the order of their names. It follows no link out of the
// directory: findings quote lines of manifests, and who writes a directory that someone else validates may not read
// every file of that machine.
func (s *sources) readDirectory(name string) ([]source, error) {
	var all []source
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && !s.recursive:
			return fs.SkipDir
		case d.IsDir() || !slices.Contains(manifestExtensions(), filepath.Ext(path)):
			return nil
		}
		one, err := readBelow(root, path)
		if err == nil {
			err = s.spend(name, one)
		}
		all = append(all, one)
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: the directory contains no file with the extension %s; add -R to read its subdirectories",
			name, strings.Join(manifestExtensions(), ", "))
	}
	return all, err
}

// readBelow reads a file of a directory, which may be a link within the directory.
func readBelow(root *os.Root, path string) (source, error) {
	name := filepath.Join(root.Name(), path)
	target, err := root.Stat(path)
	if info, linkErr := root.Lstat(path); err != nil && linkErr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return source{}, fmt.Errorf("%s: the link cannot be followed within %s; name its target with -f", name, root.Name())
	}
	if err != nil {
		return source{}, err
	}
	if !target.Mode().IsRegular() { // Opening a pipe would wait for a writer.
		return source{}, fmt.Errorf("%s: not a regular file; remove it, or name the manifests with -f", name)
	}
	f, err := root.Open(path)
	if err != nil {
		return source{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := readLimited(name, f, maxFile)
	return source{name, data}, err
}

// download reads a URL. Names and errors contain neither its password nor its query, which may be a signature.
func download(ctx context.Context, address string) (source, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return source{}, usageError{errors.New("--filename: the URL is not valid; write it as https://HOST/PATH")}
	}
	name := u.Scheme + "://" + u.Host + u.Path
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", name, httpclient.WithoutURL(err))
	}
	client := http.Client{CheckRedirect: httpclient.CheckRedirect}
	response, err := client.Do(r)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", name, httpclient.Cause(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return source{}, fmt.Errorf("%s: the server responds with %d %s", name, response.StatusCode,
			http.StatusText(response.StatusCode))
	}
	data, err := readLimited(name, response.Body, maxDownload)
	return source{name, data}, err
}
