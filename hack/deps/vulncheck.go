package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// publicDatabase is the Go vulnerability database.
	publicDatabase = "https://vuln.go.dev"
	// maxAge is how old a database may be by default. Entries are added every few days.
	maxAge = 30 * 24 * time.Hour
	// maxIndex is how many bytes of an index are read.
	maxIndex = 64 << 20
	// standardLibrary is its name in package URLs, and in the database, which always has it.
	standardLibrary = "stdlib"
	// patience is how long the database may take to answer.
	patience = 10 * time.Second
	// vulnerable is govulncheck's exit code for vulnerabilities in called functions.
	vulnerable = 3
	// sound is what govulncheck writes if no vulnerable function is called. Its exit code is not enough: if it panics, it
	// may be 0.
	sound = "No vulnerabilities found."
)

// database is a reachable vulnerability database in the format of https://go.dev/doc/security/vuln/database.
type database struct {
	url      string
	modified time.Time
}

// String names the database and its age.
func (d database) String() string {
	return fmt.Sprintf("database %s, last modified %s", d.url, d.modified.Format(time.DateOnly))
}

// openDatabase returns the database at the URL, or the one in the fallback directory if the first cannot be used.
func openDatabase(ctx context.Context, from, fallback string, maxAge time.Duration) (database, error) {
	d, err := readIndex(ctx, from, maxAge)
	if err == nil || fallback == "" {
		return d, err
	}
	dir, absErr := filepath.Abs(fallback)
	if absErr != nil {
		return d, fmt.Errorf("find the directory %s: %w", fallback, absErr)
	}
	d, second := readIndex(ctx, (&url.URL{Scheme: "file", Path: dir}).String(), maxAge)
	if second != nil {
		return d, errors.Join(err, second)
	}
	return d, nil
}

// readIndex reads the files below index/ that every database has. A database that is empty or older than maxAge is an
// error: govulncheck finds nothing in it, which is not a result.
func readIndex(ctx context.Context, from string, maxAge time.Duration) (database, error) {
	var index struct{ Modified time.Time }
	if err := readJSON(ctx, from, "index/db.json", &index); err != nil {
		return database{}, err
	}
	var modules []struct{ Path string }
	if err := readJSON(ctx, from, "index/modules.json", &modules); err != nil {
		return database{}, err
	}
	if !slices.ContainsFunc(modules, func(m struct{ Path string }) bool { return m.Path == standardLibrary }) {
		return database{}, fmt.Errorf("the vulnerability database %s is incomplete: index/modules.json has no %s",
			from, standardLibrary)
	}
	if age := time.Since(index.Modified); age > maxAge {
		return database{}, fmt.Errorf("the vulnerability database %s was last modified on %s; "+
			"copy a newer one, or set -max-age", from, index.Modified.Format(time.DateOnly))
	}
	return database{url: from, modified: index.Modified}, nil
}

// readJSON reads a file of the database.
func readJSON(ctx context.Context, from, name string, into any) error {
	u, err := url.Parse(from)
	if err != nil {
		return fmt.Errorf("the database's address: %w", err)
	}
	var data []byte
	if u.Scheme == "file" {
		data, err = os.ReadFile(filepath.Join(u.Path, name))
	} else {
		data, err = get(ctx, from+"/"+name)
	}
	if err != nil {
		return fmt.Errorf("the vulnerability database %s cannot be read: %w", from, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("the vulnerability database %s: %s: %w", from, name, err)
	}
	return nil
}

func get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, maxIndex))
}

// vulncheck runs govulncheck over the packages for each build of the programs: what only Windows or only C compiles is
// seen by no other. A vulnerability in a function that they call is an error; others are counted in the output.
func vulncheck(ctx context.Context, db string, packages []string, out io.Writer) error {
	program, err := exec.CommandContext(ctx, "go", "tool", "-modfile=go.tool.mod", "-n", "govulncheck").Output()
	if err != nil {
		return fmt.Errorf("build govulncheck: %w", err)
	}
	args := append([]string{"-db", db}, packages...)
	for _, b := range builds() {
		fmt.Fprintf(out, "vulncheck: %s\n", b)
		cmd := exec.CommandContext(ctx, strings.TrimSpace(string(program)), args...)
		cmd.Env = append(os.Environ(), b.environment()...)
		if err := runOne(cmd, out); err != nil {
			return fmt.Errorf("%s: %w", b, err)
		}
	}
	return nil
}

func runOne(cmd *exec.Cmd, out io.Writer) error {
	var result bytes.Buffer
	both := io.MultiWriter(out, &result)
	cmd.Stdout, cmd.Stderr = both, both
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == vulnerable {
		return errors.New("functions with known vulnerabilities are called; require the versions that fix them")
	}
	if err != nil {
		return fmt.Errorf("run govulncheck: %w", err)
	}
	if !bytes.Contains(result.Bytes(), []byte(sound)) {
		return errors.New("govulncheck ended without a result; its output is above")
	}
	return nil
}
