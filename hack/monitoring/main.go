// Command monitoring writes alerts and a dashboard for the metrics of the controllers, and their reference pages. It
// reads names, types and labels of the metrics from the collectors that the controllers register.
//
//	go run ./hack/monitoring
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "monitoring:", err)
		os.Exit(1)
	}
}

// run writes the files of the tree.
func run(root string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil { //nolint:gosec // public
			return err
		}
	}
	return nil
}

// generate returns the files by their paths in the tree.
func generate() (map[string][]byte, error) {
	all, err := definitions()
	if err != nil {
		return nil, err
	}
	rules, err := rulesFile()
	if err != nil {
		return nil, err
	}
	resource, err := ruleResource()
	if err != nil {
		return nil, err
	}
	board, err := dashboard(all)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"config/monitoring/rules.yaml":          rules,
		"config/monitoring/prometheusrule.yaml": resource,
		"config/monitoring/dashboard.json":      board,
		"docs/reference/metrics.md":             metricsPage(all),
		"docs/reference/alerts.md":              alertsPage(),
	}, nil
}
