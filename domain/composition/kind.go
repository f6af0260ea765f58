package composition

import "strings"

// CheckGroup returns the reason why resources of the API group cannot be plugins, or empty if they can. The groups of
// Kubernetes and its projects, including Cluster API, are excluded, because other controllers trust their resources. A
// group without a dot belongs to Kubernetes.
func CheckGroup(group string) string {
	for _, suffix := range []string{".k8s.io", ".x-k8s.io", ".kubernetes.io"} {
		if strings.HasSuffix("."+group, suffix) {
			return "kinds of groups that end in " + suffix[1:] + " are not plugins"
		}
	}
	if !strings.Contains(group, ".") {
		return "kinds of Kubernetes' own groups are not plugins"
	}
	return ""
}
