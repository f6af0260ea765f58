package composition

import "strings"

// CheckGroup returns why resources of the group's kinds are not plugins; empty if they may be. Groups of Kubernetes and
// of its projects, Cluster API's among them, have none: they hold what others trust, and a group without a dot is
// Kubernetes' own.
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
