package main

import (
	"bytes"
	"compress/gzip"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// sourceLabel and versionLabel select the ConfigMap of a provider's version. The operator reads the version from the
// second one.
const (
	sourceLabel  = "machineadm.io/provider"
	versionLabel = "provider.cluster.x-k8s.io/version"
)

// operatorProvider is a provider of the Cluster API Operator, whose API the project does not import.
type operatorProvider struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              operatorSpec `json:"spec"`
}

type operatorSpec struct {
	Version     string `json:"version"`
	FetchConfig struct {
		Selector metav1.LabelSelector `json:"selector"`
	} `json:"fetchConfig"`
}

// operatorObjects returns the objects by which the Cluster API Operator installs a provider without a network: the
// namespace, the components in a ConfigMap, and the provider. The components are compressed, as a ConfigMap has at most
// 1 MiB. The ConfigMaps of earlier versions stay in the namespace when a release is applied. If a selector matches more
// than one ConfigMap, the operator upgrades no provider of the management cluster.
func operatorObjects(p provider, version string, components, metadata []byte) ([][]byte, error) {
	namespace, err := namespaceOf(components)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.components, err)
	}
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	if _, err := z.Write(components); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	labels := map[string]string{sourceLabel: p.folder, versionLabel: version}
	o := operatorProvider{
		TypeMeta:   metav1.TypeMeta{APIVersion: "operator.cluster.x-k8s.io/v1alpha2", Kind: p.kind},
		ObjectMeta: metav1.ObjectMeta{Name: p.name, Namespace: namespace},
	}
	o.Spec.Version, o.Spec.FetchConfig.Selector.MatchLabels = version, labels
	return encode(
		corev1.Namespace{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: metav1.ObjectMeta{Name: namespace},
		},
		corev1.ConfigMap{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{
				Name: p.folder + "-" + version, Namespace: namespace, Labels: labels,
				Annotations: map[string]string{"provider.cluster.x-k8s.io/compressed": "true"},
			},
			BinaryData: map[string][]byte{"components": compressed.Bytes()},
			Data:       map[string]string{"metadata": string(metadata)},
		},
		o,
	)
}

// namespaceOf returns the name of the namespace among the components.
func namespaceOf(components []byte) (string, error) {
	for text := range bytes.SplitSeq(components, []byte("\n---\n")) {
		var o metav1.PartialObjectMetadata
		if err := yaml.Unmarshal(text, &o); err != nil {
			return "", err
		}
		if o.Kind == "Namespace" {
			return o.Name, nil
		}
	}
	return "", fmt.Errorf("there is no Namespace")
}
