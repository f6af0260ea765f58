package workload

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
)

// permissions returns the ClusterRoleBindings that kubeadm init of the version creates and kubeadm join expects. A
// cluster that an older kubeadm initialized does not have them: kubeadm upgrade would create them, and it never runs.
func permissions(version string) []*rbacv1.ClusterRoleBinding {
	v, ok := node.ParseVersion(version)
	var bindings []*rbacv1.ClusterRoleBinding
	if ok && !v.Less(node.Version{Major: 1, Minor: 29}) {
		// admin.conf has this group in place of system:masters (kubernetes/kubernetes#121305).
		bindings = append(bindings, binding("kubeadm:cluster-admins", "cluster-admin", rbacv1.GroupKind,
			"kubeadm:cluster-admins"))
	}
	// The API server's client for kubelets is not a member of a group of administrators (kubernetes/kubernetes#138957).
	// Patch releases of older minor versions have this change, such as v1.36.3. In other clusters the permission changes
	// nothing, because their client has all permissions.
	return append(bindings, binding("kubeadm:apiserver-kubelet-client", "system:kubelet-api-admin", rbacv1.UserKind,
		"kube-apiserver-kubelet-client"))
}

func binding(name, role, subjectKind, subject string) *rbacv1.ClusterRoleBinding {
	return &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: subjectKind, Name: subject}},
	}
}

// ensurePermissions creates the permissions that do not exist. It does not change those that a user changed.
func ensurePermissions(ctx context.Context, api client.Client, version string) error {
	for _, b := range permissions(version) {
		exists, err := hasPermission(ctx, api, b)
		if err != nil {
			return err
		}
		if exists {
			continue
		}
		if err := api.Create(ctx, b); err != nil && !apierrors.IsAlreadyExists(err) {
			return apiError("create ClusterRoleBinding "+b.Name, err)
		}
	}
	return nil
}

// hasPermissions reports whether all permissions exist.
func hasPermissions(ctx context.Context, api client.Reader, version string) (bool, error) {
	for _, b := range permissions(version) {
		if exists, err := hasPermission(ctx, api, b); err != nil || !exists {
			return false, err
		}
	}
	return true, nil
}

func hasPermission(ctx context.Context, api client.Reader, b *rbacv1.ClusterRoleBinding) (bool, error) {
	err := api.Get(ctx, client.ObjectKeyFromObject(b), &rbacv1.ClusterRoleBinding{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, apiError("get ClusterRoleBinding "+b.Name, err)
}
