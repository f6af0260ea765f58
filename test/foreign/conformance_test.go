package main

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/plugincontract"
)

// TestContract holds a Motd to machineadm's plugin contract, on the API server that KUBECONFIG names, where this
// program runs and config/plugin.yaml is applied. MOTD_NAMESPACE is an empty namespace.
func TestContract(t *testing.T) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spec := map[string]any{"message": "hello"}
	plugincontract.Test(t, plugincontract.Kind{
		Client: c, Namespace: os.Getenv("MOTD_NAMESPACE"),
		Plugin: func() *unstructured.Unstructured { return made(kind.Kind, map[string]any{"message": "hello"}) },
		Change: func(o *unstructured.Unstructured) { o.Object["spec"] = map[string]any{"message": "good morning"} },
		Template: func() *unstructured.Unstructured {
			return made(kind.Kind+"Template", map[string]any{"template": map[string]any{"spec": spec}})
		},
	})
}

func made(name string, spec map[string]any) *unstructured.Unstructured {
	o := object(kind.GroupVersion().WithKind(name))
	o.Object["spec"] = spec
	return o
}
