//go:build linux

package planes

import (
	"bytes"
	"context"
	"embed"
	"io/fs"
	"strings"

	"github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodeimage"
)

//go:embed testdata/kubeadm.yaml
var kubeadmManifests string

// imageFiles are what an image has besides the programs, so that the bootstrap need not write it.
//
//go:embed testdata/image
var imageFiles embed.FS

// imageName is the name of the root file system with these files. Its layers have other names.
const imageName = "kubeadm"

// KubeadmTools are the programs of hack/tool.sh that CreateKubeadm needs.
func KubeadmTools() []string {
	return []string{"capi-kubeadm-bootstrap-manager", "capi-kubeadm-control-plane-manager"}
}

// CreateKubeadm starts the kubeadm providers of Cluster API, and creates a cluster whose control plane is a
// KubeadmControlPlane of three machines, with one worker. All of them have the current release. It waits until the
// cluster is complete.
func (w *World) CreateKubeadm(name string) *Cluster {
	w.t.Helper()
	w.Expect(w.InstallKubeadmProvider(w.ctx)).To(gomega.Succeed())
	w.Expect(w.InstallKubeadmPlanes(w.ctx)).To(gomega.Succeed())
	w.start(func(ctx context.Context) (*controlplane.Process, error) { return w.StartKubeadmProvider(ctx) })
	w.start(func(ctx context.Context) (*controlplane.Process, error) { return w.StartKubeadmPlanes(ctx) })
	files, err := w.image()
	w.Expect(err).NotTo(gomega.HaveOccurred())
	release := nodeimage.Current()
	w.Expect(w.Host.AddRoot(w.ctx, imageName, release, files)).To(gomega.Succeed())
	words := strings.NewReplacer("KUBEVIP", node.DefaultVirtualIPImage, "NAME", name, "ENDPOINT", Endpoint,
		"VERSION", release.Version, "IMAGE", imageName)
	objects, err := controlplane.Decode(strings.NewReader(words.Replace(kubeadmManifests)))
	w.Expect(err).NotTo(gomega.HaveOccurred())
	w.Expect(w.Apply(w.ctx, objects...)).To(gomega.Succeed())
	c := &Cluster{World: w, Name: name}
	w.Eventually(func(g gomega.Gomega) {
		ready, _, err := unstructured.NestedInt64(c.KubeadmPlane().Object, "status", "readyReplicas")
		g.Expect(err).NotTo(gomega.HaveOccurred())
		g.Expect(ready).To(gomega.BeEquivalentTo(3))
		g.Expect(c.Machines()).To(gomega.HaveLen(3))
		g.Expect(c.Workers()).To(gomega.ConsistOf(gomega.HaveField("Status.Phase", string(clusterv1.MachinePhaseRunning))))
	}).Should(gomega.Succeed(), c.Describe)
	return c
}

// image returns the files of the image. The key of a file is its path.
func (w *World) image() (map[string][]byte, error) {
	root, err := fs.Sub(imageFiles, "testdata/image")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	return files, fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = bytes.ReplaceAll(text, []byte("REGISTRY"), []byte(w.Host.Registry()))
		return err
	})
}

// KubeadmPlane returns the KubeadmControlPlane. It is empty if there is none.
func (c *Cluster) KubeadmPlane() *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion("controlplane.cluster.x-k8s.io/v1beta2")
	o.SetKind("KubeadmControlPlane")
	_ = c.Client.Get(c.ctx, client.ObjectKey{Namespace: namespace, Name: c.Name}, o)
	return o
}

// Successor creates the plugins of a MachineadmControlPlane that replaces the KubeadmControlPlane, and returns its
// manifest: it has the same number of machines, template and version, and is paused.
func (c *Cluster) Successor() *unstructured.Unstructured {
	c.t.Helper()
	objects := c.decode(Options{Name: c.Name, Endpoint: Endpoint, Release: nodeimage.Current(), Change: func(
		o *controlplanev1.MachineadmControlPlane,
	) {
		o.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
		o.Spec.Replicas = ptr.To[int32](3)
		o.Spec.MachineTemplate.Spec.InfrastructureRef.Name = c.Name
	}})
	var successor *unstructured.Unstructured
	for _, o := range objects {
		switch o.GetKind() {
		case controlplanev1.Kind:
			successor = o
		case "ContainerdConfig":
			c.Expect(c.Apply(c.ctx, o)).To(gomega.Succeed())
		}
	}
	return successor
}
