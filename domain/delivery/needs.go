package delivery

// NeedsCA reports whether a worker of the format has to be given the certificate of its cluster's CA. Where kubeadm runs, pins
// are enough, and a certificate would be in its way.
func (f Format) NeedsCA() bool { return f == FormatTalos || f == FormatBottlerocket }
