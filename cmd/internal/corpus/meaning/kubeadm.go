package meaning

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"
)

// AddKubeadm adds the documents of kubeadm's configuration, by their kinds.
func (m Machine) AddKubeadm(text string) error {
	for document := range strings.SplitSeq("\n"+text, "\n---") {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(document), &tree); err != nil {
			return err
		}
		kind, _ := tree["kind"].(string)
		if kind == "" {
			continue
		}
		delete(tree, "kind")
		m.AddTree("kubeadm."+kind, tree)
	}
	return nil
}

// AddKubeadmJSON adds documents of JSON that follow each other.
func (m Machine) AddKubeadmJSON(text string) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	for decoder.More() {
		var tree map[string]any
		if err := decoder.Decode(&tree); err != nil {
			return m.AddKubeadm(text)
		}
		kind, _ := tree["kind"].(string)
		delete(tree, "kind")
		m.AddTree("kubeadm."+kind, tree)
	}
	return nil
}
