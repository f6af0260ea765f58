package specs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Repository is a repository at one commit.
type Repository struct {
	// Name is OWNER/NAME of a repository of github.com.
	Name string `json:"name"`
	// Commit is the full hash.
	Commit string `json:"commit"`
	// Copies are files that the repository's Makefile or tests create, and what they are copies of. Without it, a file is
	// empty: a Secret of the user.
	Copies map[string]string `json:"copies,omitempty"`
	// gitDirectory contains the objects.
	gitDirectory string
}

// Open finds the repository's git directory below a directory of clones or mirrors. A clone or mirror is called
// OWNER/NAME, OWNER+NAME or NAME, and may be in a folder "repo" of that name.
func Open(clones string, r Repository) (Repository, error) {
	owner, name, _ := strings.Cut(r.Name, "/")
	for _, folder := range []string{r.Name, owner + "+" + name, name} {
		for _, inner := range []string{"", ".git", "repo", "repo/.git"} {
			r.gitDirectory = filepath.Join(clones, folder, inner)
			if _, err := os.Stat(filepath.Join(r.gitDirectory, "HEAD")); err == nil {
				return r, nil
			}
		}
	}
	return r, fmt.Errorf("%s: there is no clone of it in %s", r.Name, clones)
}

func (r Repository) git(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"--git-dir", r.gitDirectory}, args...)...)
	var errs bytes.Buffer
	c.Stdin, c.Stderr = in, &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: git %s: %w: %s", r.Name, args[0], err, errs.String())
	}
	return out, nil
}

// Files returns the paths of all regular files whose names end in one of the extensions, or of all without extensions.
func (r Repository) Files(ctx context.Context, extensions ...string) ([]string, error) {
	out, err := r.git(ctx, nil, "ls-tree", "-r", "-z", r.Commit)
	if err != nil {
		return nil, err
	}
	var files []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		header, name, found := strings.Cut(entry, "\t")
		if !found || !strings.HasPrefix(header, "100") {
			continue
		}
		if len(extensions) == 0 || slices.Contains(extensions, path.Ext(name)) {
			files = append(files, name)
		}
	}
	return files, nil
}

// Read calls each for every path with the content of the file.
func (r Repository) Read(ctx context.Context, paths []string, each func(path string, content []byte) error) error {
	var request bytes.Buffer
	for _, p := range paths {
		fmt.Fprintf(&request, "%s:%s\n", r.Commit, p)
	}
	out, err := r.git(ctx, &request, "cat-file", "--batch")
	if err != nil {
		return err
	}
	reader := bufio.NewReader(bytes.NewReader(out))
	for _, p := range paths {
		header, err := reader.ReadString('\n')
		if err != nil {
			return err
		}
		words := strings.Fields(header)
		size, err := strconv.Atoi(words[len(words)-1])
		if err != nil {
			return fmt.Errorf("%s: %s: %s", r.Name, p, header)
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(reader, content); err != nil {
			return err
		}
		if err := each(p, content[:size]); err != nil {
			return err
		}
	}
	return nil
}

// Extract writes all files to a directory.
func (r Repository) Extract(ctx context.Context, directory string) error {
	archive, err := r.git(ctx, nil, "archive", r.Commit)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "tar", "-x", "-C", directory)
	c.Stdin = bytes.NewReader(archive)
	return c.Run()
}
