// Package machines has virtual machines join a real cluster. The machines boot their userdata by real cloud-init
// and by real Ignition in the initial ramdisk, and run real containerd, kubeadm and kubelet. It needs root.
package machines
