package pluginresources

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/external"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
)

// Instantiate returns the state of a plugin that is created from a template, and creates it if it does not exist. It
// never adopts an existing resource of another owner.
func (l *Lookup) Instantiate(ctx context.Context, owner ports.Owner, cluster string, i composition.Instance,
) (composition.Observed, error) {
	o, found, err := l.read(ctx, owner.Namespace, i.ID)
	switch {
	case err != nil:
		return found, err
	case o == nil && found.State == composition.NotFound:
		return l.create(ctx, owner, cluster, i)
	case o == nil:
		return found, nil
	}
	if c := metav1.GetControllerOf(o); c == nil || c.UID != types.UID(owner.UID) {
		return composition.Observed{
			State:   composition.NotOwned,
			Message: "a resource of this name belongs to another owner; remove it",
		}, nil
	}
	return l.evaluate(ctx, o)
}

func (l *Lookup) create(ctx context.Context, owner ports.Owner, cluster string, i composition.Instance,
) (composition.Observed, error) {
	template, found, err := l.read(ctx, owner.Namespace, i.Template)
	if found.State == composition.NotFound {
		found = composition.MissingTemplate(i.Template)
	}
	if template == nil || err != nil {
		return found, err
	}
	o, err := l.generate(template, owner, cluster, i)
	if err != nil {
		return found, err
	}
	return creationResult(l.Client.Create(ctx, o), i)
}

// generate returns the plugin for the template, by Cluster API's rules for templates.
func (l *Lookup) generate(template *unstructured.Unstructured, owner ports.Owner, cluster string,
	i composition.Instance,
) (*unstructured.Unstructured, error) {
	o, err := external.GenerateTemplate(&external.GenerateTemplateInput{
		Template: template.DeepCopy(), Namespace: owner.Namespace, Name: i.Name, ClusterName: cluster,
		TemplateRef: &corev1.ObjectReference{
			APIVersion: template.GetAPIVersion(), Kind: template.GetKind(),
			Name: template.GetName(),
		},
		OwnerRef: ptr.To(kube.ControllerReference(owner, l.Owner)), Labels: l.labels(),
	})
	if err != nil {
		return nil, fmt.Errorf("make %s from %s: %w", i.ID, i.Template, err)
	}
	// A template sets the plugin's spec, labels and annotations only; in particular, it sets no status.
	created := &unstructured.Unstructured{Object: map[string]any{}}
	created.SetNamespace(o.GetNamespace())
	created.SetName(o.GetName())
	created.SetLabels(o.GetLabels())
	created.SetAnnotations(o.GetAnnotations())
	created.SetOwnerReferences(o.GetOwnerReferences())
	if spec, there := o.Object["spec"]; there {
		created.Object["spec"] = spec
	}
	created.SetGroupVersionKind(schema.GroupVersionKind{
		Group:   i.Group,
		Version: template.GroupVersionKind().Version, Kind: i.Kind,
	})
	return created, nil
}

// labels returns the labels that a created plugin has in addition to those of its template. Without the watch filter
// its controller would ignore it.
func (l *Lookup) labels() map[string]string {
	if l.WatchFilter == "" {
		return nil
	}
	return map[string]string{clusterv1.WatchLabel: l.WatchFilter}
}

// creationResult returns the state of a plugin after its creation. A plugin that already exists is not in the cache
// yet.
func creationResult(err error, i composition.Instance) (composition.Observed, error) {
	switch {
	case err == nil || apierrors.IsAlreadyExists(err):
		return composition.Observed{State: composition.NotReady, Message: "it was just created"}, nil
	case apierrors.IsForbidden(err):
		return composition.Observed{
			State:   composition.NotPermitted,
			Message: "the controller may not create it from its template",
		}, nil
	case apierrors.IsInvalid(err) || apierrors.IsBadRequest(err):
		return composition.Observed{
			State:   composition.InvalidTemplate,
			Message: "the API server refuses the resource that is created from the template" + invalidFields(err),
		}, nil
	default:
		return composition.Observed{}, fmt.Errorf("create %s: %w", i.ID, err)
	}
}

// invalidFields names the fields that the API server refuses. It omits their values, which may be confidential.
func invalidFields(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return ""
	}
	var names []string
	for _, c := range status.Status().Details.Causes {
		names = append(names, c.Field)
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}
