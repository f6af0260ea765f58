package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// showUserdata prints a table of the Machines with their Secrets and writes the userdata into the directory.
func (d *demo) showUserdata(ctx context.Context) error {
	machines, err := d.listMachines(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\nMACHINE\tSECRET\tFORMAT\tBYTES\tWARNINGS\tUSERDATA")
	for i := range machines {
		line, err := d.describe(ctx, &machines[i])
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(table, line)
	}
	return table.Flush()
}

func (d *demo) describe(ctx context.Context, m *clusterv1.Machine) (string, error) {
	config, secret := &v1alpha1.MachineBootstrapConfig{}, &corev1.Secret{}
	key := client.ObjectKey{Namespace: m.Namespace, Name: m.Spec.Bootstrap.ConfigRef.Name}
	if err := d.management.Client.Get(ctx, key, config); err != nil {
		return "", fmt.Errorf("read config: %w", err)
	}
	key.Name = *m.Spec.Bootstrap.DataSecretName
	if err := d.management.Client.Get(ctx, key, secret); err != nil {
		return "", fmt.Errorf("read data secret: %w", err)
	}
	file := filepath.Join(d.out, m.Name+extension(secret.Data["value"]))
	if err := os.WriteFile(file, secret.Data["value"], 0o600); err != nil {
		return "", fmt.Errorf("write userdata: %w", err)
	}
	warnings := int32(0)
	format := string(secret.Data["format"])
	if p := config.Status.Payload; p != nil {
		format, warnings = strings.TrimSpace(p.Format+" "+p.FormatVersion), p.Warnings
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%s", m.Name, secret.Name, format, len(secret.Data["value"]),
		warnings, file), nil
}

func extension(data []byte) string {
	if strings.HasPrefix(string(data), "{") {
		return ".ign"
	}
	return ".yaml"
}
