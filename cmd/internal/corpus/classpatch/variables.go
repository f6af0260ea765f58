package classpatch

// version is that of the topology.
const version = "v1.36.3"

// variable is a variable of a ClusterClass.
type variable struct {
	Name   string `json:"name"`
	Schema struct {
		OpenAPIV3Schema schema `json:"openAPIV3Schema"`
	} `json:"schema"`
}

// schema is the part of a variable's schema that determines a value.
type schema struct {
	Type       string            `json:"type"`
	Default    any               `json:"default"`
	Example    any               `json:"example"`
	Enum       []any             `json:"enum"`
	Minimum    *float64          `json:"minimum"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

// value returns the default, the example, or the first value that the schema permits.
func (s schema) value() any {
	switch {
	case s.Default != nil && s.Type != "object":
		return s.Default
	case s.Example != nil:
		return s.Example
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.Type {
	case "boolean":
		return false
	case "integer", "number":
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 1
	case "array":
		return []any{}
	case "object":
		return s.object()
	default:
		return "value"
	}
}

// object returns the default with the required properties, and with those that have defaults.
func (s schema) object() map[string]any {
	out := map[string]any{}
	for _, name := range s.Required {
		out[name] = s.Properties[name].value()
	}
	for name, property := range s.Properties {
		if property.Default != nil {
			out[name] = property.value()
		}
	}
	if defaults, ok := s.Default.(map[string]any); ok {
		for name, value := range defaults {
			out[name] = value
		}
	}
	return out
}

// cluster is the variable builtin.cluster.
func cluster() map[string]any {
	return map[string]any{
		"name": "prod", "namespace": "default", "uid": "5e0e7b2a-9f5a-4d51-9c7b-6d3c3a7f2b11",
		"topology": map[string]any{"version": version, "class": "class"},
		"network": map[string]any{
			"serviceDomain": "cluster.local", "services": []string{"10.96.0.0/12"}, "pods": []string{"192.168.0.0/16"},
			"ipFamily": "IPv4",
		},
	}
}

// builtins are those of a control plane or of workers.
func builtins(name, class string) map[string]any {
	out := map[string]any{
		"name": name, "version": version, "replicas": 3, "metadata": map[string]any{"labels": map[string]any{}},
		"machineTemplate":   map[string]any{"infrastructureRef": map[string]any{"name": name}},
		"infrastructureRef": map[string]any{"name": name},
		"bootstrap":         map[string]any{"configRef": map[string]any{"name": name}},
	}
	if class != "" {
		out["class"], out["topologyName"] = class, name
	}
	return out
}
