//go:build linux

package nodes_test

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
)

// The media types of an image (OCI image specification, 1.1).
const (
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar"
)

// descriptor is what the specification calls one.
type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
}

// registry serves images of one program each, as far as clients need to pull them (OCI distribution specification,
// 1.1).
type registry struct {
	// blobs are files by their digests, and tags digests of manifests by names.
	blobs, tags map[string]string
}

// images are those of a control plane; the first test that serves them adds them.
var images = &registry{blobs: map[string]string{}, tags: map[string]string{}}

// serve serves the images of a control plane in the machines' network, at the port of their configured mirror.
func (w *world) serve(t *testing.T) {
	t.Helper()
	r := images
	server := &http.Server{Handler: r} //nolint:gosec // its only clients are the test's machines
	go func() { _ = server.Serve(w.listen(t, ":5000")) }()
	t.Cleanup(func() { _ = server.Close() })
	if len(r.tags) > 0 {
		return
	}
	for _, name := range strings.Fields(debian.Output(t, debian.Tool(t, "kubeadm"), "config", "images", "list",
		"--kubernetes-version", "v1.36.3")) {
		image, tag, _ := strings.Cut(strings.TrimPrefix(name, "registry.k8s.io/"), ":")
		switch image {
		case "pause":
			r.add(t, image, tag, pause(t))
		case "kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd":
			r.add(t, image, tag, debian.Tool(t, image))
		}
	}
}

// pause returns the program of the pause image, of which the sources lie beside Kubernetes's own.
func pause(t *testing.T) string {
	t.Helper()
	dir, err := controlplane.ModuleDir(t.Context(), "tools/kubernetes", "k8s.io/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "pause")
	debian.Output(t, "gcc", "-Os", "-static", "-DVERSION=test", "-o", at, filepath.Join(dir, "build/pause/linux/pause.c"))
	return at
}

// add adds an image with nothing in it but the program, in a directory of the search path.
func (r *registry) add(t *testing.T, name, tag, program string) {
	t.Helper()
	to := "usr/local/bin/" + name
	layer := r.blob(t, typeLayer, func(w io.Writer) error { return archive(w, to, program) })
	config := r.json(t, typeConfig, map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Env": []string{"PATH=/usr/local/bin"}, "Entrypoint": []string{"/" + to}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{layer.Digest}},
	})
	manifest := r.json(t, typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{layer},
	})
	r.tags[name+":"+tag] = manifest.Digest
}

func archive(w io.Writer, to, program string) error {
	f, err := os.Open(program)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	a := tar.NewWriter(w)
	if err := a.WriteHeader(&tar.Header{Name: to, Mode: 0o755, Size: info.Size(), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	if _, err := io.Copy(a, f); err != nil {
		return err
	}
	return a.Close()
}

func (r *registry) json(t *testing.T, mediaType string, value any) descriptor {
	t.Helper()
	return r.blob(t, mediaType, func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
}

func (r *registry) blob(t *testing.T, mediaType string, write func(io.Writer) error) descriptor {
	t.Helper()
	f, err := os.CreateTemp(shared, "blob")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if err := write(io.MultiWriter(f, sum)); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	digest := "sha256:" + hex.EncodeToString(sum.Sum(nil))
	r.blobs[digest] = f.Name()
	return descriptor{MediaType: mediaType, Digest: digest, Size: info.Size()}
}

// ServeHTTP serves /v2/NAME/manifests/REFERENCE and /v2/NAME/blobs/DIGEST.
func (r *registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	reference := path.Base(q.URL.Path)
	kind := path.Base(path.Dir(q.URL.Path))
	name := strings.TrimPrefix(path.Dir(path.Dir(q.URL.Path)), "/v2/")
	if digest, found := r.tags[name+":"+reference]; found {
		reference = digest
	}
	file, found := r.blobs[reference]
	switch {
	case q.URL.Path == "/v2/":
		return
	case !found:
		http.NotFound(w, q)
		return
	case kind == "manifests":
		w.Header().Set("Content-Type", typeManifest)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	w.Header().Set("Docker-Content-Digest", reference)
	http.ServeFile(w, q, file)
}
