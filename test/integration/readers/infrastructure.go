package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Infrastructure is what a core learns from the infrastructure object of a Machine or of a Cluster.
type Infrastructure struct {
	Provisioned bool
	// FailureReason and FailureMessage end the Machine for core 1.10 and older.
	FailureReason, FailureMessage string
	// Ready is the condition InfrastructureReady.
	Ready Condition
	// ProviderID, Addresses and FailureDomain are those of a machine. An address is its type, a space and the address.
	ProviderID    string
	Addresses     []string
	FailureDomain string
	// Endpoint and FailureDomains are those of a cluster. FailureDomains are sorted by name.
	Endpoint       string
	FailureDomains []string
}

// Machine reads the infrastructure object of a Machine by a version of the contract.
func (c Core) Machine(by Reference, object *unstructured.Unstructured) (Infrastructure, error) {
	read, fields, err := c.infrastructure(by, object)
	if !read.Provisioned {
		return read, errors.Join(append(fields.errors, err)...)
	}
	if read.ProviderID = fields.text("spec", "providerID"); read.ProviderID == "" {
		fields.fail("the machine is provisioned and has no provider ID")
	}
	read.FailureDomain = fields.text(failureDomainPath(by.Contract)...)
	var addresses []struct{ Type, Address string }
	decode(fields, &addresses, "status", "addresses")
	for _, a := range addresses {
		read.Addresses = append(read.Addresses, a.Type+" "+a.Address)
	}
	return read, errors.Join(append(fields.errors, err)...)
}

// failureDomainPath is the path of the failure domain of a machine.
func failureDomainPath(by string) []string {
	if by == contractV1Beta1 {
		return []string{"spec", "failureDomain"}
	}
	return []string{"status", "failureDomain"}
}

// Cluster reads the infrastructure object of a Cluster by a version of the contract.
func (c Core) Cluster(by Reference, object *unstructured.Unstructured) (Infrastructure, error) {
	read, fields, err := c.infrastructure(by, object)
	if !read.Provisioned {
		return read, errors.Join(append(fields.errors, err)...)
	}
	var endpoint struct {
		Host string
		Port int32
	}
	decode(fields, &endpoint, "spec", "controlPlaneEndpoint")
	if endpoint.Host != "" {
		read.Endpoint = fmt.Sprintf("%s:%d", endpoint.Host, endpoint.Port)
	}
	read.FailureDomains = failureDomains(by, fields)
	return read, errors.Join(append(fields.errors, err)...)
}

// failureDomains reads a map for contract v1beta1, and a list for v1beta2.
func failureDomains(by Reference, fields *fieldReader) []string {
	if by.Contract == contractV1Beta1 {
		domains := map[string]any{}
		decode(fields, &domains, "status", "failureDomains")
		return slices.Sorted(maps.Keys(domains))
	}
	var domains []struct{ Name string }
	decode(fields, &domains, "status", "failureDomains")
	var names []string
	for _, d := range domains {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}

// infrastructure reads what machines and clusters have in common.
func (c Core) infrastructure(by Reference, object *unstructured.Unstructured) (Infrastructure, *fieldReader, error) {
	fields := &fieldReader{object: object.Object}
	if got := object.GroupVersionKind(); got != by.Kind {
		return Infrastructure{}, fields, fmt.Errorf("%s is not %s", got, by.Kind)
	}
	path := []string{"status", "initialization", "provisioned"}
	if by.Contract == contractV1Beta1 {
		path = []string{"status", "ready"}
	}
	read := Infrastructure{
		Provisioned:   fields.boolean(path...),
		FailureReason: fields.text("status", "failureReason"), FailureMessage: fields.text("status", "failureMessage"),
	}
	ready, err := c.ready(object, read.Provisioned)
	read.Ready = ready
	return read, fields, err
}

// decode decodes a field that may be missing into a value of the type that a core has.
func decode(f *fieldReader, target any, path ...string) {
	value, found, err := unstructured.NestedFieldNoCopy(f.object, path...)
	if err == nil && found {
		var data []byte
		if data, err = json.Marshal(value); err == nil {
			err = json.Unmarshal(data, target)
		}
	}
	if err != nil {
		f.errors = append(f.errors, fmt.Errorf("read %v: %w", path, err))
	}
}
