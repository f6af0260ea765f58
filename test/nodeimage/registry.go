package nodeimage

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// KubernetesVersion is the version of the programs and of the images, and PreviousVersion that of Previous.
const (
	KubernetesVersion = "v1.36.3"
	PreviousVersion   = "v1.35.4"
)

// The media types of an image (OCI image specification, 1.1).
const (
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar"
)

// descriptor describes a blob (OCI image specification, 1.1).
type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
}

// Registry serves images of static programs, as far as clients need to pull them (OCI distribution specification,
// 1.1). Images must be added before it serves.
type Registry struct {
	// dir contains the blobs.
	dir string
	// blobs are files by their digests, and tags digests of manifests by names.
	blobs, tags map[string]string
}

// NewRegistry returns a registry without images, which stores its blobs in an existing directory.
func NewRegistry(dir string) *Registry {
	return &Registry{dir: dir, blobs: map[string]string{}, tags: map[string]string{}}
}

// AddControlPlane adds the images of a control plane of a release, without kube-proxy and CoreDNS.
func (r *Registry) AddControlPlane(ctx context.Context, release Release) error {
	kubeadm, err := release.tool(ctx, "kubeadm")
	if err != nil {
		return err
	}
	names, err := exec.CommandContext(ctx, kubeadm, "config", "images", "list", "--kubernetes-version",
		release.Version).Output()
	if err != nil {
		return fmt.Errorf("list images: %w", err)
	}
	for _, name := range strings.Fields(string(names)) {
		image, tag, _ := strings.Cut(strings.TrimPrefix(name, "registry.k8s.io/"), ":")
		if err := r.addControlPlane(ctx, release, image, tag); err != nil {
			return err
		}
	}
	return nil
}

func (r *Registry) addControlPlane(ctx context.Context, release Release, image, tag string) error {
	switch image {
	case "etcd":
		// One version of etcd runs with all releases.
		release = Current()
		fallthrough
	case "kube-apiserver", "kube-controller-manager", "kube-scheduler":
		program, err := release.tool(ctx, image)
		if err != nil {
			return err
		}
		return r.Add(image, tag, map[string]string{image: program})
	case "pause":
		program, err := r.pause(ctx)
		if err != nil {
			return err
		}
		return r.Add(image, tag, map[string]string{image: program})
	}
	return nil
}

// pause compiles the program of the pause image, whose source is part of Kubernetes.
func (r *Registry) pause(ctx context.Context) (string, error) {
	if _, err := programs.Script(ctx, "packages.sh", "gcc", "libc6-dev"); err != nil {
		return "", err
	}
	dir, err := controlplane.ModuleDir(ctx, "tools/kubernetes", "k8s.io/kubernetes")
	if err != nil {
		return "", err
	}
	program := filepath.Join(r.dir, "pause")
	out, err := exec.CommandContext(ctx, "gcc", "-Os", "-static", "-DVERSION=test", "-o", program,
		filepath.Join(dir, "build/pause/linux/pause.c")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile pause: %w\n%s", err, out)
	}
	return program, nil
}

// programDirectory is the only directory of an image.
const programDirectory = "usr/local/bin"

// Add adds an image that contains only the programs, whose paths are given by their names. It starts the program with
// the last part of the image's name.
func (r *Registry) Add(name, tag string, programs map[string]string) error {
	layer, err := r.blob(typeLayer, func(w io.Writer) error { return archive(w, programs) })
	if err != nil {
		return err
	}
	config, err := r.json(typeConfig, map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{
			"Env":        []string{"PATH=/" + programDirectory, collectRarely},
			"Entrypoint": []string{"/" + path.Join(programDirectory, path.Base(name))},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{layer.Digest}},
	})
	if err != nil {
		return err
	}
	manifest, err := r.json(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{layer},
	})
	r.tags[name+":"+tag] = manifest.Digest
	return err
}

// archive writes the layer of an image.
func archive(w io.Writer, programs map[string]string) error {
	a := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		if err := archiveFile(a, path.Join(programDirectory, name), programs[name]); err != nil {
			return err
		}
	}
	return a.Close()
}

func archiveFile(a *tar.Writer, to, program string) error {
	f, err := os.Open(program)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := a.WriteHeader(&tar.Header{Name: to, Mode: 0o755, Size: info.Size(), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	_, err = io.Copy(a, f)
	return err
}

func (r *Registry) json(mediaType string, value any) (descriptor, error) {
	return r.blob(mediaType, func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
}

func (r *Registry) blob(mediaType string, write func(io.Writer) error) (descriptor, error) {
	f, err := os.CreateTemp(r.dir, "blob")
	if err != nil {
		return descriptor{}, err
	}
	sum := sha256.New()
	err = errors.Join(write(io.MultiWriter(f, sum)), f.Close())
	if err != nil {
		return descriptor{}, fmt.Errorf("write a blob: %w", err)
	}
	info, err := os.Stat(f.Name())
	if err != nil {
		return descriptor{}, err
	}
	digest := "sha256:" + hex.EncodeToString(sum.Sum(nil))
	r.blobs[digest] = f.Name()
	return descriptor{MediaType: mediaType, Digest: digest, Size: info.Size()}, nil
}

// ServeHTTP serves /v2/NAME/manifests/REFERENCE and /v2/NAME/blobs/DIGEST.
func (r *Registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
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
