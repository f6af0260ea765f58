package kubeadmnames

// PauseSource is where the tags of pause images come from.
const PauseSource = "k8s.io/kubernetes v1.30.5, v1.31.0, v1.33.0 to v1.37.0, cmd/kubeadm/app/constants: PauseVersion"

// PauseTag returns the tag of the pause image that kubeadm of the minor version of Kubernetes 1 uses, such as 3.10. It
// is empty for versions that the table does not contain.
func PauseTag(minor int) string {
	switch {
	case minor < 30 || minor > Newest:
		return ""
	case minor == 30:
		return "3.9"
	case minor < 34:
		return "3.10"
	case minor < 36:
		return "3.10.1"
	default:
		return "3.10.2"
	}
}
