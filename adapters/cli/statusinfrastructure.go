package cli

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// infrastructureObjects lists the infrastructure objects of the Machines among the items. Kinds that the user may not
// list or that do not exist are left out: the conditions of the Machines summarize their objects.
func infrastructureObjects(ctx context.Context, config *rest.Config, connected dynamic.Interface, namespace string,
	items []unstructured.Unstructured,
) []unstructured.Unstructured {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, client)
	if err != nil {
		return nil
	}
	var all []unstructured.Unstructured
	seen := map[schema.GroupKind]bool{}
	for _, item := range items {
		group, _, _ := unstructured.NestedString(item.Object, "spec", "infrastructureRef", "apiGroup")
		kind, _, _ := unstructured.NestedString(item.Object, "spec", "infrastructureRef", "kind")
		wanted := schema.GroupKind{Group: group, Kind: kind}
		if item.GetKind() != "Machine" || group == "" || kind == "" || seen[wanted] {
			continue
		}
		seen[wanted] = true
		mapping, err := mapper.RESTMapping(wanted)
		if err != nil {
			continue
		}
		if found, err := list(ctx, connected.Resource(mapping.Resource).Namespace(namespace)); err == nil {
			all = append(all, found...)
		}
	}
	return all
}
