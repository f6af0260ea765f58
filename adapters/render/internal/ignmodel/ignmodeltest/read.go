package ignmodeltest

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/coreos/ignition/v2/config/v3_6/types"
	"github.com/vincent-petithory/dataurl"
)

// Read returns the content of a configuration of the newest specification.
func Read(t *testing.T, c types.Config) Tree {
	t.Helper()
	tree := NewTree()
	for _, f := range c.Storage.Files {
		contents := bytesOf(t, f.Contents)
		for _, a := range f.Append {
			contents += bytesOf(t, a)
		}
		tree.Files[f.Path] = contents
	}
	for _, u := range c.Systemd.Units {
		if u.Contents != nil {
			tree.Units[u.Name] = *u.Contents
		}
		for _, d := range u.Dropins {
			tree.Units[u.Name+"/"+d.Name] = *d.Contents
		}
	}
	for _, u := range c.Passwd.Users {
		if u.Gecos != nil {
			tree.Comments[u.Name] = *u.Gecos
		}
	}
	return tree
}

// bytesOf returns what a resource holds.
func bytesOf(t *testing.T, r types.Resource) string {
	t.Helper()
	if r.Source == nil {
		return ""
	}
	u, err := dataurl.DecodeString(*r.Source)
	if err != nil {
		t.Fatal(err)
	}
	if r.Compression == nil || *r.Compression == "" {
		return string(u.Data)
	}
	z, err := gzip.NewReader(bytes.NewReader(u.Data))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
