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
	"time"
)

const (
	// publicDatabase is the Go vulnerability database.
	publicDatabase = "https://vuln.go.dev"
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

// openDatabase returns the database at the URL, or the one in the fallback directory if the first cannot be reached.
func openDatabase(ctx context.Context, from, fallback string) (database, error) {
	d, err := readIndex(ctx, from)
	if err == nil || fallback == "" {
		return d, err
	}
	dir, absErr := filepath.Abs(fallback)
	if absErr != nil {
		return d, fmt.Errorf("find the directory %s: %w", fallback, absErr)
	}
	d, second := readIndex(ctx, (&url.URL{Scheme: "file", Path: dir}).String())
	if second != nil {
		return d, errors.Join(err, second)
	}
	return d, nil
}

// readIndex reads index/db.json, which every database has.
func readIndex(ctx context.Context, from string) (database, error) {
	u, err := url.Parse(from)
	if err != nil {
		return database{}, fmt.Errorf("the database's address: %w", err)
	}
	var data []byte
	if u.Scheme == "file" {
		data, err = os.ReadFile(filepath.Join(u.Path, "index", "db.json"))
	} else {
		data, err = get(ctx, from+"/index/db.json")
	}
	if err != nil {
		return database{}, fmt.Errorf("the vulnerability database %s cannot be read: %w", from, err)
	}
	var index struct{ Modified time.Time }
	if err := json.Unmarshal(data, &index); err != nil {
		return database{}, fmt.Errorf("the vulnerability database %s: index/db.json: %w", from, err)
	}
	return database{url: from, modified: index.Modified}, nil
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
	return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
}

// vulncheck runs govulncheck over the packages. A vulnerability in a function that they call is an error; others are
// counted in the output.
func vulncheck(ctx context.Context, db string, packages []string, out io.Writer) error {
	args := append([]string{"tool", "-modfile=go.tool.mod", "govulncheck", "-db", db}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
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
