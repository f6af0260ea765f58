package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// provider is a provider of Cluster API in the release.
type provider struct {
	// kind is the kind of the Cluster API Operator; folder and components are the paths in the clusterctl repository.
	kind, folder, components string
	// name is the name in clusterctl, and chart is the name of the Helm chart.
	name, chart string
	// prefix is removed from the names of variables.
	prefix string
	// description is the description of the Helm chart.
	description string
}

func providers() []provider {
	return []provider{
		{
			kind: "BootstrapProvider", folder: "bootstrap-machineadm", components: "bootstrap-components.yaml",
			name: "machineadm", chart: "machineadm-bootstrap", prefix: "MACHINEADM_",
			description: "The bootstrap provider machineadm of Cluster API",
		},
		{
			kind: "ControlPlaneProvider", folder: "control-plane-machineadm", components: "control-plane-components.yaml",
			name: "machineadm", chart: "machineadm-control-plane", prefix: "MACHINEADM_CONTROL_PLANE_",
			description: "The control plane provider machineadm of Cluster API",
		},
		{
			kind: "InfrastructureProvider", folder: "infrastructure-machineadm-hosts",
			components: "infrastructure-components.yaml",
			name:       "machineadm-hosts", chart: "machineadm-hosts", prefix: "MACHINEADM_HOSTS_",
			description: "The infrastructure provider machineadm-hosts of Cluster API",
		},
	}
}

// repositoryVariable is the variable of clusterctl with the absolute path of the downloaded release.
const repositoryVariable = "${MACHINEADM_RELEASE}"

// writeRepositories writes the clusterctl repositories. The configurations of clusterctl do not depend on the folder.
func (r release) writeRepositories(ctx context.Context) error {
	image := cmp.Or(r.image, "ghcr.io/machineadm/"+r.variant(controller))
	if _, err := r.command(ctx, nil, "hack/release.sh", r.version, r.out, image); err != nil {
		return err
	}
	for _, name := range []string{"clusterctl.yaml", "clusterctl-endpoint.yaml"} {
		text, err := os.ReadFile(r.path(name))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("file://"+r.out), []byte("file://"+repositoryVariable))
		if err := r.file(text, name); err != nil {
			return err
		}
	}
	return nil
}

// writeManifests writes install.yaml, the manifests for the Cluster API Operator and the Helm charts, all from the
// components of the clusterctl repositories.
func (r release) writeManifests(context.Context) error {
	var install, operator [][]byte
	for _, p := range providers() {
		components, err := os.ReadFile(r.path(p.folder, r.version, p.components))
		if err != nil {
			return err
		}
		metadata, err := os.ReadFile(r.path(p.folder, r.version, "metadata.yaml"))
		if err != nil {
			return err
		}
		text, err := substituteDefaults(string(components))
		if err != nil {
			return fmt.Errorf("%s: %w", p.components, err)
		}
		install = append(install, []byte(text))
		objects, err := operatorObjects(p, r.version, components, metadata)
		if err != nil {
			return err
		}
		operator = append(operator, objects...)
		if err := r.writeChart(p, string(components)); err != nil {
			return err
		}
	}
	if err := r.file(bytes.Join(install, []byte("---\n")), "install.yaml"); err != nil {
		return err
	}
	return r.file(bytes.Join(operator, []byte("---\n")), "operator.yaml")
}

// writeMonitoring copies the alerts and the dashboard.
func (r release) writeMonitoring(context.Context) error {
	for _, name := range []string{"rules.yaml", "prometheusrule.yaml", "dashboard.json"} {
		text, err := os.ReadFile(filepath.Join("config/monitoring", name))
		if err != nil {
			return err
		}
		if err := r.file(text, "monitoring", name); err != nil {
			return err
		}
	}
	return nil
}

// variablePattern matches a variable of clusterctl with its default.
var variablePattern = regexp.MustCompile(`\$\{([A-Z0-9_]+):=([^{}$]*)\}`)

// substituteDefaults replaces the variables by their defaults, as clusterctl does if they are not set.
func substituteDefaults(components string) (string, error) {
	text := variablePattern.ReplaceAllString(components, "$2")
	if _, after, found := strings.Cut(text, "${"); found {
		name, _, _ := strings.Cut(after, "\n")
		return "", fmt.Errorf("a variable has no default: ${%s", name)
	}
	return text, nil
}

// encode returns objects in YAML.
func encode(objects ...any) (all [][]byte, err error) {
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}
