package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/report"
)

// groupSuffix ends the API groups of machineadm.
const groupSuffix = ".machineadm.io"

// checkMoveFlags are the flags of the command check-move.
type checkMoveFlags struct {
	sources    sources
	connection connection
	output     string
	strict     bool
}

func checkMoveCommand(o Options) *cobra.Command {
	var f checkMoveFlags
	c := &cobra.Command{
		Use:   "check-move",
		Short: "Find the Secrets and ConfigMaps that clusterctl move leaves behind",
		Long: `Finds the Secrets and ConfigMaps that the objects of machineadm refer to, and
that clusterctl move would leave behind. It reads the cluster of the kubeconfig,
of Secrets and ConfigMaps only the metadata, or a file with objects. It changes
nothing. The exit code is 0 if everything moves, 1 if something stays behind, and
3 if something does not exist and --strict is set.`,
		Example: `  machineadmctl check-move -n prod
  machineadmctl check-move -f cluster.yaml -o json`,
		Args: cobra.NoArgs,
	}
	f.sources.register(c, "objects in place of a cluster")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with code 3 if there are warnings")
	registerOutput(c, &f.output, "text", "json", "yaml")
	f.connection.register(c, "objects")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(c.Context(), o) }
	return c
}

func (f *checkMoveFlags) run(ctx context.Context, o Options) error {
	result, err := f.check(ctx, o)
	if err != nil {
		return err
	}
	if f.output != "" {
		result.Findings = limit(result.Findings)
		err = encode(o.Out, f.output, result)
	} else {
		printFindings(o.Out, result.Findings)
		_, err = fmt.Fprintf(o.Out, "%s: clusterctl moves %d\n",
			number(result.Referenced, "referenced object"), result.Moved)
	}
	if err != nil {
		return err
	}
	return (&inputs{strict: f.strict}).exitError(result.Findings)
}

func (f *checkMoveFlags) check(ctx context.Context, o Options) (moveResult, error) {
	if f.sources.empty() {
		return f.connection.checkMove(ctx)
	}
	all, err := f.sources.read(ctx, o.In)
	if err != nil {
		return moveResult{}, err
	}
	objects, err := load(all)
	if err != nil {
		return moveResult{}, err
	}
	scheme := moveScheme()
	var metadata []*metav1.PartialObjectMetadata
	var referrers []*referrer
	for _, o := range objects {
		if f.connection.namespace != "" && o.Namespace != f.connection.namespace {
			continue
		}
		metadata = append(metadata, &o.PartialObjectMetadata)
		references, err := referencesOf(scheme, o.GroupVersionKind(), o.json)
		if err != nil {
			return moveResult{}, o.typeError(err)
		}
		referrers = append(referrers, &referrer{
			PartialObjectMetadata: o.PartialObjectMetadata, references: references, object: o,
		})
	}
	return newMoveGraph(metadata, nil).check(referrers), nil
}

// moveScheme returns the types of all objects of machineadm.
func moveScheme() *runtime.Scheme {
	s := planScheme()
	utilruntime.Must(infrastructurev1.AddToScheme(s))
	return s
}

// referencesOf returns the references of an object, or nil if it is not one of machineadm.
func referencesOf(scheme *runtime.Scheme, kind schema.GroupVersionKind, text []byte) ([]convert.FieldReference, error) {
	if !strings.HasSuffix(kind.Group, groupSuffix) {
		return nil, nil
	}
	typed, err := scheme.New(kind)
	if runtime.IsNotRegisteredError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, typed); err != nil {
		return nil, err
	}
	return convert.FieldReferences(typed), nil
}

// movedCluster collects what determines which objects of a cluster move.
type movedCluster struct {
	client    client.Client
	namespace string
	scheme    *runtime.Scheme

	metadata    []*metav1.PartialObjectMetadata
	referrers   []*referrer
	hierarchies []schema.GroupKind
	findings    []finding
}

// checkMove checks the objects of the namespace in the cluster.
func (c connection) checkMove(ctx context.Context) (moveResult, error) {
	connected, namespace, err := c.client()
	if err != nil {
		return moveResult{}, err
	}
	m := movedCluster{client: connected, namespace: namespace, scheme: moveScheme()}
	if err := m.read(ctx); err != nil {
		return moveResult{}, err
	}
	result := newMoveGraph(m.metadata, m.hierarchies).check(m.referrers)
	result.Findings = append(m.findings, result.Findings...)
	return result, nil
}

// read reads the metadata of all objects that clusterctl reads, and the objects of machineadm.
func (m *movedCluster) read(ctx context.Context) error {
	definitions, err := m.list(ctx, schema.GroupVersionKind{
		Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition",
	}, metav1.NamespaceAll)
	if err != nil {
		return err
	}
	for _, d := range definitions {
		if err := m.readKind(ctx, d); err != nil {
			return err
		}
	}
	for _, kind := range []string{"Secret", "ConfigMap"} {
		found, err := m.list(ctx, corev1.SchemeGroupVersion.WithKind(kind), m.namespace)
		if err != nil {
			return err
		}
		m.metadata = append(m.metadata, found...)
	}
	return nil
}

// readKind reads the objects of a kind, if clusterctl reads them or if they are machineadm's.
func (m *movedCluster) readKind(ctx context.Context, definition *metav1.PartialObjectMetadata) error {
	resource, group, _ := strings.Cut(definition.Name, ".")
	_, discovered := definition.Labels[discoveryLabel]
	ours := strings.HasSuffix(group, groupSuffix)
	if !discovered && !ours {
		return nil
	}
	kind, err := m.client.RESTMapper().KindFor(schema.GroupVersionResource{Group: group, Resource: resource})
	if err != nil {
		return fmt.Errorf("find the kind of %s: %w", definition.Name, err)
	}
	found, err := m.list(ctx, kind, m.namespace)
	if err != nil {
		return err
	}
	if discovered {
		m.metadata = append(m.metadata, found...)
	} else if len(found) > 0 {
		m.findings = append(m.findings, undiscovered(definition.Name, len(found)))
	}
	if _, hierarchy := definition.Labels[moveHierarchyLabel]; hierarchy && discovered {
		m.hierarchies = append(m.hierarchies, kind.GroupKind())
	}
	if ours && len(found) > 0 {
		return m.readReferences(ctx, kind)
	}
	return nil
}

// undiscovered returns a finding about a definition whose objects clusterctl does not read.
func undiscovered(definition string, objects int) finding {
	return finding{
		Severity: report.Error.String(), Object: "CustomResourceDefinition/" + definition, Path: "metadata.labels",
		Message: fmt.Sprintf("clusterctl move leaves %s of this kind behind: it reads only kinds with the label %s",
			number(objects, "object"), discoveryLabel),
		Remedy: fmt.Sprintf("install the provider with clusterctl, or: kubectl label crd %s %s=", definition, discoveryLabel),
	}
}

// readReferences reads the references of the objects of a kind.
func (m *movedCluster) readReferences(ctx context.Context, kind schema.GroupVersionKind) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind)
	return m.pages(ctx, list, m.namespace, func() error {
		for _, o := range list.Items {
			text, err := o.MarshalJSON()
			if err != nil {
				return err
			}
			r := &referrer{}
			if err := json.Unmarshal(text, &r.PartialObjectMetadata); err != nil {
				return err
			}
			if r.references, err = referencesOf(m.scheme, kind, text); err != nil {
				return fmt.Errorf("decode %s %s/%s: %w", kind.Kind, o.GetNamespace(), o.GetName(), err)
			}
			m.referrers = append(m.referrers, r)
		}
		return nil
	})
}

// list lists the metadata of the objects of a kind.
func (m *movedCluster) list(ctx context.Context, kind schema.GroupVersionKind, namespace string) (
	[]*metav1.PartialObjectMetadata, error,
) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(kind)
	var found []*metav1.PartialObjectMetadata
	err := m.pages(ctx, list, namespace, func() error {
		for i := range list.Items {
			list.Items[i].SetGroupVersionKind(kind)
			found = append(found, &list.Items[i])
		}
		list.Items = nil
		return nil
	})
	return slices.Clip(found), err
}

// pages lists objects page by page.
func (m *movedCluster) pages(ctx context.Context, list client.ObjectList, namespace string, page func() error) error {
	kind := list.GetObjectKind().GroupVersionKind()
	for {
		err := m.client.List(ctx, list, client.InNamespace(namespace), client.Limit(pageSize),
			client.Continue(list.GetContinue()))
		if err != nil {
			return fmt.Errorf("list %s: %w", kind.GroupKind(), err)
		}
		if err := page(); err != nil {
			return err
		}
		if list.GetContinue() == "" {
			return nil
		}
	}
}
