// Command corpus converts the KubeadmConfigSpecs of public repositories and compares what this project renders for them
// with what the kubeadm provider of Cluster API renders for the originals.
//
//	go run ./cmd/internal/corpus -clones DIRECTORY [-page docs/evidence/conversion.md] [-details corpus.json]
//
// The directory contains clones or mirrors of the repositories in repositories.yaml, called OWNER/NAME, OWNER+NAME or
// NAME. The texts of the repositories are not part of the results.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
)

// repositories are the names and commits.
//
//go:embed repositories.yaml
var repositories []byte

func main() {
	clones := flag.String("clones", "", "directory with clones of the repositories")
	page := flag.String("page", "", "write the results to this Markdown file, and all specs to a CSV file")
	details := flag.String("details", "", "write all differences, with texts of the repositories, to this JSON file")
	flag.Parse()
	if err := run(context.Background(), *clones, *page, *details, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, clones, page, details string, out io.Writer) error {
	found, opened, err := findAll(ctx, clones)
	if err != nil {
		return err
	}
	c, err := newComparer()
	if err != nil {
		return err
	}
	results := results{Repositories: opened, Found: found}
	for _, s := range distinct(found.Specs) {
		results.Outcomes = append(results.Outcomes, c.compare(ctx, s))
	}
	if details != "" {
		text, err := json.MarshalIndent(results, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(details, text, 0o600); err != nil {
			return err
		}
	}
	fmt.Fprint(out, results.summary())
	if page == "" {
		return nil
	}
	if err := os.WriteFile(strings.TrimSuffix(page, ".md")+".csv", []byte(results.list()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(results.page()), 0o644)
}

// findAll returns the specs of all repositories.
func findAll(ctx context.Context, clones string) (specs.Found, []specs.Repository, error) {
	var all specs.Found
	var listed, opened []specs.Repository
	if err := yaml.Unmarshal(repositories, &listed); err != nil {
		return all, nil, err
	}
	for _, r := range listed {
		r, err := specs.Open(clones, r)
		if err != nil {
			return all, nil, err
		}
		found, err := specs.Find(ctx, r)
		if err != nil {
			return all, nil, err
		}
		opened = append(opened, r)
		all.Specs = append(all.Specs, found.Specs...)
		all.Skipped = append(all.Skipped, found.Skipped...)
	}
	return all, opened, nil
}

// distinct returns one spec of each meaning: the first whose file contains its infrastructure, or else the first.
func distinct(all []specs.Spec) []specs.Spec {
	var out []specs.Spec
	index := map[string]int{}
	for _, s := range all {
		at, seen := index[s.Digest]
		switch {
		case !seen:
			index[s.Digest] = len(out)
			out = append(out, s)
		case specs.Infrastructure(out[at]) == "" && specs.Infrastructure(s) != "":
			out[at] = s
		}
	}
	return out
}
