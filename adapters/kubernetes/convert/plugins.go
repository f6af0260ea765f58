package convert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/domain/secret"
)

// Plugins returns the plugins and plugin templates that the spec at the path names.
func Plugins(s *v1alpha1.MachineBootstrapConfigSpec, p report.Path) []composition.Reference {
	refs := references(s.PluginRefs, p.Field("pluginRefs"), false)
	return append(refs, references(s.PluginTemplateRefs, p.Field("pluginTemplateRefs"), true)...)
}

func references(list []v1alpha1.PluginReference, p report.Path, template bool) []composition.Reference {
	var refs []composition.Reference
	for i, r := range list {
		refs = append(refs, composition.Reference{
			ID: composition.ID{Group: r.APIGroup, Kind: r.Kind, Name: r.Name}, Template: template, At: p.Index(i),
		})
	}
	return refs
}

// CheckPlugin returns why resources of the kind are not plugins, with the remedy, or empty if they may be plugins. In
// machineadm's group, only plugins and their templates are.
func CheckPlugin(id composition.ID) string {
	if id.Group != "" && id.Group != v1alpha1.Group {
		if problem := composition.CheckGroup(id.Group); problem != "" {
			return problem + "; remove it from the list"
		}
		return ""
	}
	kinds := ownPlugins()
	isOwn := slices.Contains(kinds, id.Kind)
	switch {
	case id.Group == "" && isOwn:
		return "the API group is missing; use " + v1alpha1.Group
	case id.Group == "":
		return "the API group is missing; set the group of the kind, or remove it from the list"
	case isOwn:
		return ""
	default:
		return fmt.Sprintf("a %s is not a plugin; use a kind of plugins, such as %s, or remove it from the list", id.Kind,
			cmp.Or(report.Nearest(id.Kind, kinds), kinds[0]))
	}
}

// ownPlugins returns the kinds of machineadm's group that are plugins or their templates.
func ownPlugins() []string {
	var kinds []string
	for _, p := range v1alpha1.Plugins() {
		kinds = append(kinds, v1alpha1.PluginKind(p), v1alpha1.PluginKind(p)+composition.TemplateSuffix)
	}
	return kinds
}

// pluginObject contains the fields that the plugin contract requires of a resource of any kind.
type pluginObject struct {
	Metadata struct {
		Generation        int64   `json:"generation"`
		DeletionTimestamp *string `json:"deletionTimestamp"`
	} `json:"metadata"`
	Status struct {
		Ready              bool   `json:"ready"`
		SecretName         string `json:"secretName"`
		FailureReason      string `json:"failureReason"`
		FailureMessage     string `json:"failureMessage"`
		ObservedGeneration int64  `json:"observedGeneration"`
		Conditions         []struct {
			Type    string `json:"type"`
			Status  string `json:"status"`
			Reason  string `json:"reason"`
			Message string `json:"message"`
		} `json:"conditions"`
		BeforePlugins []string `json:"beforePlugins"`
		AfterPlugins  []string `json:"afterPlugins"`
	} `json:"status"`
}

// PluginStatus reads the status of a resource, as JSON, by the plugin contract.
func PluginStatus(object []byte) (composition.Status, error) {
	var d pluginObject
	if err := json.Unmarshal(object, &d); err != nil {
		return composition.Status{}, fmt.Errorf("read the status: %w", err)
	}
	s := composition.Status{
		Ready: d.Status.Ready, SecretName: d.Status.SecretName,
		FailureReason: d.Status.FailureReason, FailureMessage: d.Status.FailureMessage,
		Before: d.Status.BeforePlugins, After: d.Status.AfterPlugins, Deleting: d.Metadata.DeletionTimestamp != nil,
		Stale: d.Status.ObservedGeneration != 0 && d.Status.ObservedGeneration < d.Metadata.Generation,
	}
	for _, c := range d.Status.Conditions {
		if c.Type == "Ready" && c.Status != "True" {
			s.ReadyMessage = strings.Trim(c.Reason+": "+c.Message, ": ")
		}
	}
	return s, nil
}

// CheckName returns why a text is not a valid name of a Secret, or empty if it is valid.
func CheckName(name string) string {
	return strings.Join(validation.NameIsDNSSubdomain(name, false), "; ")
}

// PluginDocuments adds the contents of a plugin's Secret to the result of its lookup.
func PluginDocuments(f composition.Observed, kind, name string, controlled bool, data map[string][]byte,
) composition.Observed {
	text, there := data[v1alpha1.PluginDocumentsKey]
	problem := reserved.CheckDocuments(name, kind)
	switch {
	case problem != "":
		f.State, f.Message = composition.InvalidStatus, "its status.secretName: "+problem+
			"; its controller has to use another name"
	case !controlled:
		f.State, f.Message = composition.SecretNotOwned, fmt.Sprintf("it does not control the Secret %s", name)
	case !there:
		f.State, f.Message = composition.InvalidDocuments, fmt.Sprintf("its Secret %s has no key %s", name,
			v1alpha1.PluginDocumentsKey)
	default:
		f.Text = secret.New(text)
	}
	return f
}
