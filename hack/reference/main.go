// Command reference writes docs/reference: a page for each kind of the API, from the CRDs, one for the kinds of machine
// configuration, from their JSON Schema, and one for conditions and reasons. It fails if a field has no description.
//
//	go run ./hack/reference
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// folder contains the pages.
const folder = "docs/reference"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// run writes the pages of the tree.
func run(root string) error {
	pages, undocumented, err := generate(root)
	for _, field := range undocumented {
		err = errors.Join(err, fmt.Errorf("%s has no description", field))
	}
	if err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(root, folder, name), text, 0o644); err != nil { //nolint:gosec // public
			return err
		}
	}
	return nil
}

// generate returns the pages by their file names, and the fields without a description.
func generate(root string) (pages map[string][]byte, undocumented []string, err error) {
	var kinds []kind
	for _, folder := range []string{"config/crd/bases", "config/hosts/crd/bases", "config/control-plane/crd/bases"} {
		found, err := readCRDs(filepath.Join(root, folder))
		if err != nil {
			return nil, nil, err
		}
		kinds = append(kinds, found...)
	}
	documents, err := readDocuments(filepath.Join(root, "docs/schema/machineadm.io_v1alpha1.json"))
	if err != nil {
		return nil, nil, err
	}
	w := writer{pages: map[string][]byte{}}
	w.kinds(kinds)
	w.documents(documents)
	w.pages["conditions.md"] = conditionsPage()
	return w.pages, w.undocumented, nil
}
