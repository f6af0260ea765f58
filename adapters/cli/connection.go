package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// pageSize is the limit of one list request.
const pageSize = 500

// connection selects a management cluster and a namespace.
type connection struct {
	// kubeconfig is a file, and context a name in it; empty selects those that kubectl uses.
	kubeconfig, context string
	// namespace defaults to that of the context; allNamespaces overrides it.
	namespace     string
	allNamespaces bool
}

// register registers the flags. what is shown.
func (c *connection) register(command *cobra.Command, what string) {
	f := command.Flags()
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig file; the default is that of kubectl")
	f.StringVar(&c.context, "context", "", "context of the kubeconfig; the current context by default")
	f.StringVarP(&c.namespace, "namespace", "n", "", "namespace; that of the context by default")
	f.BoolVarP(&c.allNamespaces, "all-namespaces", "A", false, "show the "+what+" of all namespaces")
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return c.contexts(), cobra.ShellCompDirectiveNoFileComp
	}
	cobra.CheckErr(command.RegisterFlagCompletionFunc("context", complete))
	completeFlag(command, "namespace")
	completeFiles(command, "kubeconfig")
}

// contexts returns the names of the contexts in the kubeconfig, or nil if it cannot be read.
func (c *connection) contexts() []string {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	loaded, err := rules.Load()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(loaded.Contexts))
}

// config returns the configuration of the client, and the namespace.
func (c connection) config() (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: c.context})
	config, err := loaded.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, "", errors.New("there is no kubeconfig; set KUBECONFIG or --kubeconfig, or give objects with -f")
	}
	if err != nil {
		return nil, "", fmt.Errorf("load the kubeconfig: %w", err)
	}
	namespace := c.namespace
	if namespace == "" && !c.allNamespaces {
		if namespace, _, err = loaded.Namespace(); err != nil {
			return nil, "", fmt.Errorf("read the namespace of the context: %w", err)
		}
	}
	if c.allNamespaces {
		namespace = metav1.NamespaceAll
	}
	return config, namespace, nil
}

// client returns a client for the objects of control planes, and the namespace.
func (c connection) client() (client.Client, string, error) {
	config, namespace, err := c.config()
	if err != nil {
		return nil, "", err
	}
	connected, err := client.New(config, client.Options{Scheme: planScheme()})
	if err != nil {
		return nil, "", fmt.Errorf("connect to the cluster: %w", err)
	}
	return connected, namespace, nil
}

// objects lists the configs and the machines of the cluster, and the infrastructure objects of the machines.
func (c connection) objects(ctx context.Context) ([]*object, error) {
	config, namespace, err := c.config()
	if err != nil {
		return nil, err
	}
	connected, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to the cluster: %w", err)
	}
	items := []unstructured.Unstructured{}
	for _, kind := range []schema.GroupVersionResource{
		v1alpha1.GroupVersion().WithResource("machinebootstrapconfigs"), clusterv1.GroupVersion.WithResource("machines"),
	} {
		found, err := list(ctx, connected.Resource(kind).Namespace(namespace))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", kind.Resource, err)
		}
		items = append(items, found...)
	}
	items = append(items, infrastructureObjects(ctx, config, connected, namespace, items)...)
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		return nil, fmt.Errorf("encode the objects of the cluster: %w", err)
	}
	return parse("cluster", text)
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
