package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

// credentials finds the credential for reports in userdata, after the path of the machine's reports.
var credentials = regexp.MustCompile(`/reports/` + namespace + `/[a-z0-9-]+\s+([A-Za-z0-9_-]{43})\s`)

func (f *fleet) reportRunning(ctx context.Context, i int) error { return f.report(ctx, i, "Running") }

// report reports as the machine does, with the credential of its userdata.
func (f *fleet) report(ctx context.Context, i int, state string) error {
	name := f.machines[i].Name
	data := &corev1.Secret{}
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return f.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, data)
	}); err != nil {
		return fmt.Errorf("read userdata: %w", err)
	}
	found := credentials.FindSubmatch(data.Data["value"])
	if found == nil {
		return fmt.Errorf("the userdata of %s has no credential for reports", name)
	}
	body := `{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus","state":"` + state +
		`","started":"2026-01-01T00:00:00Z"}`
	again := false
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		err := f.send(ctx, name, string(found[1]), body)
		if again && errors.Is(err, errUnauthorized) {
			// The answer to an earlier try was lost: the report of the success ends the credential.
			return nil
		}
		again = true
		return err
	}); err != nil {
		return fmt.Errorf("report %s of %s: %w", state, name, err)
	}
	return nil
}

// errUnauthorized means that the endpoint does not know the credential.
var errUnauthorized = errors.New("the endpoint answered 401")

// send sends a report to the controller's endpoint.
func (f *fleet) send(ctx context.Context, name, credential, body string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.endpoint.URL+"/reports/"+namespace+"/"+name,
		strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+credential)
	response, err := f.endpoint.Client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusUnauthorized {
		return errUnauthorized
	}
	if response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("the endpoint answered %s", response.Status)
	}
	return nil
}

// join has the machine report its success, and makes it a node as the core manager does.
func (f *fleet) join(ctx context.Context, i int) error {
	if err := f.report(ctx, i, "Succeeded"); err != nil {
		return err
	}
	machine := f.machines[i].DeepCopy()
	machine.Status.NodeRef.Name = machine.Name
	patch := client.MergeFrom(&f.machines[i])
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return f.Client.Status().Patch(ctx, machine, patch)
	}); err != nil {
		return fmt.Errorf("join machine: %w", err)
	}
	return nil
}

// deleteOldest deletes the n oldest machines, and waits until nothing is left of them.
func (f *fleet) deleteOldest(ctx context.Context, n int) error {
	gone := map[string]bool{}
	for i := range n {
		gone[f.machines[f.oldest+i].Name] = true
	}
	if err := f.inParallelOf(ctx, "deleted machines", f.oldest, f.oldest+n, func(ctx context.Context, i int) error {
		return controlplane.Insist(ctx, func(ctx context.Context) error {
			return client.IgnoreNotFound(f.Client.Delete(ctx, &f.machines[i]))
		})
	}); err != nil {
		return fmt.Errorf("delete machines: %w", err)
	}
	f.oldest += n
	return await(ctx, time.Second/2, stall, func(ctx context.Context) (string, error) { return f.left(ctx, gone) })
}

// left describes the configs and Secrets of deleted machines that are not deleted yet.
func (f *fleet) left(ctx context.Context, gone map[string]bool) (string, error) {
	left, example := 0, ""
	for _, kind := range []string{f.provider.config.GetKind(), "Secret"} {
		names, err := f.names(ctx, kind, namespace)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if gone[name] {
				left++
				example = kind + " " + name
			}
		}
	}
	if left == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d configs and Secrets of deleted machines are left, such as %s", left, example), nil
}

// names returns the names of the objects of a kind.
func (f *fleet) names(ctx context.Context, kind, namespace string) ([]string, error) {
	group := corev1.SchemeGroupVersion
	if kind == f.provider.config.GetKind() {
		group = f.provider.config.GroupVersionKind().GroupVersion()
	}
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(group.WithKind(kind + "List"))
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return f.Client.List(ctx, list, client.InNamespace(namespace))
	}); err != nil {
		return nil, fmt.Errorf("list %s: %w", kind, err)
	}
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = list.Items[i].Name
	}
	return names, nil
}
