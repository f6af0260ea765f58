package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// writeSBOMs writes an SBOM of each program, also of those in the image.
func (r release) writeSBOMs(ctx context.Context) error {
	if len(r.platforms) == 0 {
		return nil
	}
	work, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // It is a temporary folder.
	if !r.skipImage && len(r.linux()) > 0 {
		if err := r.extract(work); err != nil {
			return fmt.Errorf("read the programs of the image: %w", err)
		}
	}
	var programs []string
	for _, pattern := range []string{
		r.path(r.variant("agents"), "machineadm-*"), r.path("bin", "*"), filepath.Join(work, "*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		programs = append(programs, found...)
	}
	_, err = r.command(ctx, []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.created.Unix(), 10)},
		"go", append([]string{"run", "./hack/deps", "sbom", r.version, r.path("sbom")}, programs...)...)
	return err
}

// descriptor is a descriptor, an index or a manifest of an OCI image.
type descriptor struct {
	Digest    string
	Manifests []descriptor
	Layers    []descriptor
}

// extract writes the controller and the plugins of the image to a folder. The names of the files have no meaning.
func (r release) extract(folder string) error {
	index, err := r.read(r.path("image", "index.json"))
	if err != nil {
		return err
	}
	for i := 0; i < len(index.Manifests); i++ {
		d, err := r.read(r.blob(index.Manifests[i]))
		if err != nil {
			return err
		}
		index.Manifests = append(index.Manifests, d.Manifests...)
		for _, layer := range d.Layers {
			if err := extractLayer(r.blob(layer), filepath.Join(folder, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r release) blob(d descriptor) string {
	return r.path("image", "blobs", "sha256", strings.TrimPrefix(d.Digest, "sha256:"))
}

func (r release) read(path string) (d descriptor, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(content, &d)
}

// extractLayer writes the programs of a layer to files whose paths begin with a prefix. The agents in the image are
// those of the release.
func extractLayer(layer, prefix string) error {
	content, err := os.ReadFile(layer)
	if err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return err
	}
	for t := tar.NewReader(z); ; {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Clean(header.Name)
		if header.Typeflag != tar.TypeReg || name != "manager" && !strings.HasPrefix(name, "usr/libexec/machineadm/") {
			continue
		}
		program, err := io.ReadAll(t)
		if err != nil {
			return err
		}
		if err := os.WriteFile(prefix+"-"+path.Base(name), program, 0o600); err != nil {
			return err
		}
	}
}
