package workload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/structured"
)

// object is a JSON object.
type object = map[string]any

// settled is a configuration of kubeadm in the cluster: the fields of the specification are set, and all others stay.
type settled struct {
	text    string
	changed bool
}

// fields are the fields of ClusterConfiguration that follow the specification. Fields below them that are not listed
// stay. kubeadm's networking, name and endpoint cannot be changed.
func fields() map[string][]string {
	component := []string{"extraArgs", "extraVolumes", "extraEnvs"}
	return map[string][]string{
		"apiVersion": nil, "kind": nil, "kubernetesVersion": nil, "imageRepository": nil, "featureGates": nil,
		"encryptionAlgorithm": nil, "certificateValidityPeriod": nil, "caCertificateValidityPeriod": nil,
		"apiServer": append([]string{"certSANs"}, component...), "controllerManager": component, "scheduler": component,
		"dns": {"imageRepository", "imageTag"},
	}
}

// settle returns the text of the configuration of the cluster, with the fields of the desired one.
func settle(text string, current, desired object) (settled, error) {
	if before := child(current, "etcd"); before != nil && isExternal(before) != isExternal(child(desired, "etcd")) {
		return settled{}, errors.New("spec.bootstrap.controlPlane: a local etcd and an external one cannot be exchanged; " +
			"restore the setting, or create another cluster")
	}
	after := mergeConfiguration(current, desired)
	if reflect.DeepEqual(meaning(current), meaning(after)) {
		return settled{text: text}, nil
	}
	changed, err := yaml.Marshal(after)
	if err != nil {
		return settled{}, fmt.Errorf("encode the configuration of kubeadm: %w", err)
	}
	return settled{text: string(changed), changed: true}, nil
}

// decodeConfiguration decodes a text within the budget of the context. The numbers are those of JSON.
func decodeConfiguration(ctx context.Context, text string) (object, error) {
	documents, err := structured.YAML(ctx, []byte(text))
	if err != nil {
		return nil, errors.New("ClusterConfiguration is not YAML; restore it by kubeadm init phase upload-config kubeadm")
	}
	decoded := object{}
	if len(documents) > 0 {
		if err := documents[0].Decode(&decoded); err != nil {
			return nil, errors.New("ClusterConfiguration is not an object; restore it by kubeadm init phase upload-config " +
				"kubeadm")
		}
	}
	return throughJSON(decoded)
}

// throughJSON returns a copy whose numbers have the type that JSON has.
func throughJSON(o object) (object, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, errors.New("ClusterConfiguration is not an object of JSON")
	}
	copied := object{}
	return copied, json.Unmarshal(text, &copied)
}

// mergeConfiguration returns the configuration of the cluster with the fields of the specification.
func mergeConfiguration(current, desired object) object {
	merged := maps.Clone(current)
	for name, below := range fields() {
		if below == nil {
			set(merged, name, desired[name])
			continue
		}
		part := mergePart(child(current, name), child(desired, name), below, name == "dns")
		set(merged, name, part)
	}
	merged["etcd"] = mergeEtcd(child(current, "etcd"), child(desired, "etcd"))
	if server := child(merged, "apiServer"); merged["apiVersion"] != current["apiVersion"] && server != nil {
		// v1beta4 has this timeout in another document.
		delete(server, "timeoutForControlPlane")
	}
	return merged
}

// mergePart returns an object with the fields of the desired one. If keep is set, fields that are not desired stay.
func mergePart(current, desired object, names []string, keep bool) object {
	merged := object{}
	maps.Copy(merged, current)
	for _, name := range names {
		if desired[name] == nil && keep {
			continue
		}
		set(merged, name, desired[name])
	}
	return merged
}

func isExternal(etcd object) bool { return child(etcd, "external") != nil }

// mergeEtcd returns the settings of etcd.
func mergeEtcd(current, desired object) object {
	place, names := "local", []string{
		"imageRepository", "imageTag", "extraArgs", "extraEnvs", "serverCertSANs", "peerCertSANs", "dataDir",
	}
	if isExternal(desired) {
		place, names = "external", []string{"endpoints", "caFile", "certFile", "keyFile"}
	}
	return object{place: mergePart(child(current, place), child(desired, place), names, false)}
}

func child(o object, name string) object {
	part, _ := o[name].(object)
	return part
}

func set(o object, name string, value any) {
	if value == nil {
		delete(o, name)
		return
	}
	o[name] = value
}

// defaults are the values that kubeadm adds when it stores its configuration (kubeadm/v1beta4, defaults.go).
func defaults() object {
	return object{
		"imageRepository": "registry.k8s.io", "encryptionAlgorithm": "RSA-2048",
		"certificateValidityPeriod": "8760h0m0s", "caCertificateValidityPeriod": "87600h0m0s",
		"etcd": object{"local": object{"dataDir": "/var/lib/etcd"}},
	}
}

// meaning returns the configuration without defaults and empty values, in a form that can be compared.
func meaning(o object) object {
	pruned, _ := prune(o, defaults()).(object)
	return pruned
}

// prune removes values that mean nothing: those that are empty, and those that equal the default.
func prune(value, standard any) any {
	switch v := value.(type) {
	case object:
		below, _ := standard.(object)
		kept := object{}
		for name, part := range v {
			if strings.HasSuffix(name, "ValidityPeriod") {
				part = duration(part)
			}
			if part = prune(part, below[name]); part != nil && !reflect.DeepEqual(part, below[name]) {
				kept[name] = part
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case []any:
		if len(v) == 0 {
			return nil
		}
		return sorted(v)
	case string:
		if v == "" {
			return nil
		}
	case bool:
		// A feature gate that is disabled differs from one that is absent, and it is the only boolean.
		return v
	}
	return value
}

// sorted sorts a list of named objects by their names, which may occur several times. The order of other lists matters
// to no component either.
func sorted(list []any) []any {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(itemName(a), itemName(b)) })
	return list
}

func itemName(item any) string {
	switch v := item.(type) {
	case string:
		return v
	case object:
		name, _ := v["name"].(string)
		return name
	default:
		return ""
	}
}

// duration returns a duration as kubeadm writes it.
func duration(value any) any {
	text, _ := value.(string)
	if d, err := time.ParseDuration(text); err == nil {
		return d.String()
	}
	return value
}
