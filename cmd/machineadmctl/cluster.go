package main

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// pageSize is how many objects a cluster is asked for at once.
const pageSize = 500

// cluster reads configs and machines of the cluster that kubectl would ask.
func cluster(ctx context.Context, c cli.Connection) ([]byte, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.Kubeconfig
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: c.Context})
	config, err := loaded.ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find the cluster: %w", err)
	}
	namespace := c.Namespace
	if namespace == "" && !c.All {
		if namespace, _, err = loaded.Namespace(); err != nil {
			return nil, fmt.Errorf("find the namespace: %w", err)
		}
	}
	if c.All {
		namespace = metav1.NamespaceAll
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to the cluster: %w", err)
	}
	items := []unstructured.Unstructured{}
	for _, kind := range []schema.GroupVersionResource{
		v1alpha1.GroupVersion().WithResource("machinebootstrapconfigs"), clusterv1.GroupVersion.WithResource("machines"),
	} {
		found, err := list(ctx, client.Resource(kind).Namespace(namespace))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", kind.Resource, err)
		}
		items = append(items, found...)
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}

func list(ctx context.Context, resource dynamic.ResourceInterface) ([]unstructured.Unstructured, error) {
	var all []unstructured.Unstructured
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := resource.List(ctx, options)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}
