package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/machineadm/machineadm/test/port"
)

// ErrNotInstalled is that a namespace does not have the one Deployment of a manager.
var ErrNotInstalled = errors.New("the namespace does not have one Deployment with one container")

// StartInstalled starts the program of the Deployment in the namespace, as kubelet would do: with the arguments of the
// Deployment and the token of its ServiceAccount. The arguments of the caller follow. The manager does not elect a
// leader, because it is not in a Pod.
func (c *ControlPlane) StartInstalled(ctx context.Context, namespace, program string, args ...string) (*Process,
	error,
) {
	var list appsv1.DeploymentList
	if err := c.Client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("list Deployments: %w", err)
	}
	if len(list.Items) != 1 || len(list.Items[0].Spec.Template.Spec.Containers) != 1 {
		return nil, fmt.Errorf("%s: %w", namespace, ErrNotInstalled)
	}
	pod := list.Items[0].Spec.Template.Spec
	kubeconfig := filepath.Join(c.Dir, namespace+".kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, namespace, pod.ServiceAccountName, kubeconfig); err != nil {
		return nil, err
	}
	health, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	diagnostics, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	all := append(append([]string{}, pod.Containers[0].Args...), "--kubeconfig="+kubeconfig, "--health-addr="+health,
		"--diagnostics-address="+diagnostics, "--insecure-diagnostics=true", "--leader-elect=false")
	process, err := StartProcess(ctx, c.unusedLog(namespace), program, append(all, args...)...)
	if err != nil {
		return nil, err
	}
	process.metrics = diagnostics
	for _, address := range []string{health, diagnostics} {
		if err := process.waitFor(ctx, address); err != nil {
			return nil, err
		}
	}
	return process, nil
}

// StartInstalledWithWebhooks is StartInstalled for a manager with webhooks. Their configurations, and the definitions
// that they convert, get the address and the authority of the process, as the Service and cert-manager would provide
// them.
func (c *ControlPlane) StartInstalledWithWebhooks(ctx context.Context, namespace, program string) (*Process, error) {
	hooks := &envtest.WebhookInstallOptions{}
	if err := hooks.PrepWithoutInstalling(); err != nil {
		return nil, fmt.Errorf("create the certificate of webhooks: %w", err)
	}
	address := net.JoinHostPort(hooks.LocalServingHost, strconv.Itoa(hooks.LocalServingPort))
	process, err := c.StartInstalled(ctx, namespace, program, "--webhook-port="+strconv.Itoa(hooks.LocalServingPort),
		"--webhook-cert-dir="+hooks.LocalServingCertDir)
	if err != nil {
		return nil, err
	}
	if err := process.waitFor(ctx, address); err != nil {
		return nil, err
	}
	return process, errors.Join(c.connectWebhooks(ctx, namespace, address, hooks.LocalServingCAData),
		c.connectConversions(ctx, namespace, address, hooks.LocalServingCAData))
}

// connectConversions lets the API server find the conversions of the kinds whose webhooks are in the namespace. The
// server keeps the objects of each served version in memory: without the conversion, it reads and converts all of them
// each second.
func (c *ControlPlane) connectConversions(ctx context.Context, namespace, address string, authority []byte) error {
	var list apiextensionsv1.CustomResourceDefinitionList
	if err := c.Client.List(ctx, &list, client.HasLabels{clusterv1.ProviderNameLabel}); err != nil {
		return fmt.Errorf("list definitions: %w", err)
	}
	for i := range list.Items {
		definition := &list.Items[i]
		conversion := definition.Spec.Conversion
		if conversion == nil || conversion.Webhook == nil || conversion.Webhook.ClientConfig == nil {
			continue
		}
		service := conversion.Webhook.ClientConfig.Service
		if service == nil || service.Namespace != namespace {
			continue
		}
		before := definition.DeepCopy()
		url := "https://" + address + ptr.Deref(service.Path, "")
		*conversion.Webhook.ClientConfig = apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: authority}
		if err := c.Client.Patch(ctx, definition, client.MergeFrom(before)); err != nil {
			return fmt.Errorf("connect the conversion of %s: %w", definition.Name, err)
		}
	}
	return nil
}

// connectWebhooks lets the API server find the webhooks of the namespace at the address.
func (c *ControlPlane) connectWebhooks(ctx context.Context, namespace, address string, authority []byte) error {
	connect := func(config *admissionv1.WebhookClientConfig) {
		if config.Service == nil || config.Service.Namespace != namespace {
			return
		}
		url := "https://" + address + ptr.Deref(config.Service.Path, "")
		*config = admissionv1.WebhookClientConfig{URL: &url, CABundle: authority}
	}
	var mutating admissionv1.MutatingWebhookConfigurationList
	var validating admissionv1.ValidatingWebhookConfigurationList
	if err := errors.Join(c.Client.List(ctx, &mutating), c.Client.List(ctx, &validating)); err != nil {
		return fmt.Errorf("list webhooks: %w", err)
	}
	for i := range mutating.Items {
		for j := range mutating.Items[i].Webhooks {
			connect(&mutating.Items[i].Webhooks[j].ClientConfig)
		}
		if err := c.Client.Update(ctx, &mutating.Items[i]); err != nil {
			return fmt.Errorf("connect webhooks: %w", err)
		}
	}
	for i := range validating.Items {
		for j := range validating.Items[i].Webhooks {
			connect(&validating.Items[i].Webhooks[j].ClientConfig)
		}
		if err := c.Client.Update(ctx, &validating.Items[i]); err != nil {
			return fmt.Errorf("connect webhooks: %w", err)
		}
	}
	return nil
}
