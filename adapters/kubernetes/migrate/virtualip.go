package migrate

// kubeVIP converts the manifest of kube-vip to a virtual IP. It reports whether the file is one.
func (s *specs) kubeVIP(field) bool { return false }
