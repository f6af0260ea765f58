// Package planes provides control planes of real nodes for tests. A World is a management cluster with etcd,
// kube-apiserver, the core of Cluster API and all controllers of this project, as a release runs them. Its machines are
// namespaces of this host with systemd, containerd and kubelet, in which real kubeadm starts etcd and kube-apiserver as
// static Pods. It needs root.
//
// The tests of a package that uses it run in namespaces of their own, so that several packages can do so at once, and
// nothing is left of a test that is killed:
//
//	func TestMain(m *testing.M) { os.Exit(planes.Main(m)) }
package planes
