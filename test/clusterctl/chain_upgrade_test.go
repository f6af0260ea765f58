package clusterctl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// upgrades upgrades the providers to the later version of the release, by the command of docs/upgrade.md. The
// repository contains only this version: make dist writes each release to its own directory.
func (s *site) upgrades() {
	s.t.Helper()
	for _, folder := range ourFolders() {
		s.Expect(os.RemoveAll(filepath.Join(filepath.Dir(s.config), folder, version))).To(Succeed())
	}
	plan := s.clusterctl("upgrade", "plan")
	s.Expect(strings.Count(plan, later)).To(BeNumerically(">=", len(ourNamespaces())), plan)
	s.stop(s.ours)
	s.ours = nil
	s.documented("What an upgrade changes", "upgrade", "apply")
	s.runs(later, 1)
	s.startOurs()
}

// rollsBack installs the earlier version again, by the commands of docs/upgrade.md. It first omits the one that copies
// the folders of this version: the page describes what clusterctl does then, and that the same command works later.
func (s *site) rollsBack() {
	s.t.Helper()
	s.stop(s.ours)
	s.ours = nil
	for _, command := range s.commands("Roll back", "upgrade", "apply") {
		_, messages, err := s.output(s.t, variables(), append(command, "--kubeconfig", s.kubeconfig)...)
		s.Expect(err).To(HaveOccurred(), messages)
	}
	s.runs(later, 0)
	_, command, found := strings.Cut(section(s.t, "Roll back"), "\n$ cp ")
	s.Expect(found).To(BeTrue(), "docs/upgrade.md has no command that copies folders")
	command, _, _ = strings.Cut(command, "\n")
	cmd := exec.CommandContext(s.t.Context(), "bash", "-c", "cp "+command)
	cmd.Dir = s.t.TempDir()
	s.Expect(os.Symlink(shared, filepath.Join(cmd.Dir, "old"))).To(Succeed())
	s.Expect(os.Symlink(filepath.Dir(s.config), filepath.Join(cmd.Dir, "out"))).To(Succeed())
	output, err := cmd.CombinedOutput()
	s.Expect(err).NotTo(HaveOccurred(), string(output))
	s.documented("Roll back", "upgrade", "apply")
	s.runs(version, 1)
	s.startOurs()
}

// runs checks the version of the image of each manager, and the number of replicas.
func (s *site) runs(version string, replicas int32) {
	s.t.Helper()
	for _, namespace := range ourNamespaces() {
		var list appsv1.DeploymentList
		s.Expect(s.Client.List(s.t.Context(), &list, client.InNamespace(namespace))).To(Succeed())
		s.Expect(list.Items).To(HaveLen(1), namespace)
		d := list.Items[0].Spec
		s.Expect(d.Template.Spec.Containers[0].Image).To(HaveSuffix(":"+version), namespace)
		s.Expect(d.Replicas).To(HaveValue(Equal(replicas)), namespace)
	}
}

// documented runs the commands of a section of docs/upgrade.md that begin with the words.
func (s *site) documented(name string, words ...string) {
	s.t.Helper()
	for _, command := range s.commands(name, words...) {
		s.clusterctl(command...)
		s.listsOnlyDefinedKinds()
	}
}

// commands returns the arguments of the commands of a section of docs/upgrade.md that begin with the words, with the
// later version of the release.
func (s *site) commands(name string, words ...string) (all [][]string) {
	s.t.Helper()
	prefix := "$ clusterctl " + strings.Join(words, " ") + " --config out/clusterctl.yaml "
	for line := range strings.Lines(strings.ReplaceAll(section(s.t, name), "v0.2.0", later)) {
		if rest, is := strings.CutPrefix(line, prefix); is {
			all = append(all, append(slices.Clone(words), strings.Fields(rest)...))
		}
	}
	s.Expect(all).NotTo(BeEmpty(), "%s of docs/upgrade.md has no command %v", name, words)
	return all
}

// section returns a section of docs/upgrade.md.
func section(t *testing.T, name string) string {
	t.Helper()
	page := read(t, filepath.Join(programs.Root(), "docs/upgrade.md"))
	_, text, found := strings.Cut(page, "\n## "+name+"\n")
	if !found {
		t.Fatalf("docs/upgrade.md has no section %s", name)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// deletes deletes all clusters, and then all providers. Nothing of them remains.
func (s *site) deletes() {
	s.t.Helper()
	s.deleteClusters(movedNamespace, hostsNamespace, besideNamespace)
	s.stop(s.ours)
	s.ours = nil
	s.documented("Uninstall", "delete")
	s.deletesRoles()
	for _, provider := range [][]string{
		{"--bootstrap", "kubeadm"},
		{"--control-plane", "kubeadm"},
		{"--infrastructure", "standin"},
		{"--core", "cluster-api"},
	} {
		s.clusterctl(append([]string{"delete", "--include-crd", "--include-namespace"}, provider...)...)
		s.listsOnlyDefinedKinds()
	}
	s.Eventually(func(g Gomega) {
		g.Expect(s.remaining(g)).To(BeEmpty())
	}).Should(Succeed())
}

// listsOnlyDefinedKinds waits until the API server lists no deleted kinds of providers any more. clusterctl delete
// reads the objects of all kinds that are listed when it starts, and fails if one of these kinds is gone.
func (s *site) listsOnlyDefinedKinds() {
	s.t.Helper()
	discovered, err := discovery.NewDiscoveryClientForConfig(s.Config)
	s.Expect(err).NotTo(HaveOccurred())
	s.Eventually(func(g Gomega) {
		// The definitions themselves are megabytes.
		definitions := &metav1.PartialObjectMetadataList{}
		definitions.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinitionList"))
		g.Expect(s.Client.List(s.t.Context(), definitions)).To(Succeed())
		defined := map[string]bool{}
		for _, d := range definitions.Items {
			defined[d.Name] = d.DeletionTimestamp.IsZero()
		}
		_, lists, err := discovered.ServerGroupsAndResources()
		g.Expect(err).NotTo(HaveOccurred())
		for _, list := range lists {
			group, _, _ := strings.Cut(list.GroupVersion, "/")
			if !strings.HasSuffix(group, "cluster.x-k8s.io") && !strings.HasSuffix(group, "machineadm.io") {
				continue
			}
			for _, r := range list.APIResources {
				g.Expect(strings.Contains(r.Name, "/") || defined[r.Name+"."+group]).To(BeTrue(), "%s %s", group, r.Kind)
			}
		}
	}).Should(Succeed())
}

// deletesRoles runs the command of docs/upgrade.md that deletes what clusterctl leaves.
func (s *site) deletesRoles() {
	s.t.Helper()
	_, command, found := strings.Cut(section(s.t, "Uninstall"), "\n$ kubectl delete ")
	s.Expect(found).To(BeTrue(), "docs/upgrade.md has no command that deletes roles")
	command, _, _ = strings.Cut(command, "\n")
	kubectl, err := controlplane.Tool(s.t.Context(), "kubectl")
	s.Expect(err).NotTo(HaveOccurred())
	cmd := exec.CommandContext(s.t.Context(), "bash", "-c", kubectl+" delete "+command)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	output, err := cmd.CombinedOutput()
	s.Expect(err).NotTo(HaveOccurred(), string(output))
}

// remaining returns the objects of providers outside of namespaces, but for the roles of other providers.
func (s *site) remaining(g Gomega) (names []string) {
	for _, list := range []client.ObjectList{
		&apiextensionsv1.CustomResourceDefinitionList{}, &corev1.NamespaceList{}, &rbacv1.ClusterRoleList{},
		&rbacv1.ClusterRoleBindingList{},
	} {
		g.Expect(s.Client.List(s.t.Context(), list, client.HasLabels{"cluster.x-k8s.io/provider"})).To(Succeed())
		g.Expect(meta.EachListItem(list, func(o runtime.Object) error {
			name := o.(client.Object).GetName()
			switch o.(type) {
			case *rbacv1.ClusterRole, *rbacv1.ClusterRoleBinding:
				if !strings.HasPrefix(name, "machineadm-") {
					return nil
				}
			}
			names = append(names, fmt.Sprintf("%T %s", o, name))
			return nil
		})).To(Succeed())
	}
	return names
}
