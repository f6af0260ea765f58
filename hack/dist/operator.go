package main

import (
	"bytes"
	"compress/gzip"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// sourceLabel selects the ConfigMaps of a provider.
const sourceLabel = "machineadm.io/provider"

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
// 1 MiB.
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
	source := map[string]string{sourceLabel: p.folder}
	o := operatorProvider{
		TypeMeta:   metav1.TypeMeta{APIVersion: "operator.cluster.x-k8s.io/v1alpha2", Kind: p.kind},
		ObjectMeta: metav1.ObjectMeta{Name: p.name, Namespace: namespace},
	}
	o.Spec.Version, o.Spec.FetchConfig.Selector.MatchLabels = version, source
	return encode(
		corev1.Namespace{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: metav1.ObjectMeta{Name: namespace},
		},
		corev1.ConfigMap{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{
				Name: p.folder + "-" + version, Namespace: namespace,
				Labels: map[string]string{
					sourceLabel: p.folder, "provider.cluster.x-k8s.io/version": version,
				},
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
