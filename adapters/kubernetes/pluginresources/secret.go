package pluginresources

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/reserved"
)

// secretType is the type of the Secrets of machineadm's plugins. Secrets of other plugins may have any type.
const secretType corev1.SecretType = v1alpha1.Group + "/documents"

// publish writes the text into the Secret. It never adopts a Secret of another owner.
func (r *Reconciler) publish(ctx context.Context, p v1alpha1.Plugin, text []byte) (result, error) {
	key := client.ObjectKey{Namespace: p.GetNamespace(), Name: secretName(p)}
	known, err := r.Secrets.Secret(ctx, key)
	switch {
	case apierrors.IsNotFound(err):
		return r.create(ctx, p, key, text)
	case err != nil:
		return result{}, fmt.Errorf("get Secret %s: %w", key.Name, err)
	case !metav1.IsControlledBy(known, p):
		return result{reason: reasonSecretNotOwned, message: fmt.Sprintf("the Secret %s belongs to another owner; remove it",
			key.Name)}, nil
	case !bytes.Equal(known.Data[v1alpha1.PluginDocumentsKey], text):
		return r.change(ctx, known, text)
	}
	return result{secret: key.Name, reason: reasonReady}, nil
}

func (r *Reconciler) create(ctx context.Context, p v1alpha1.Plugin, key client.ObjectKey, text []byte,
) (result, error) {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: key.Namespace, Name: key.Name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(p,
				v1alpha1.GroupVersion().WithKind(v1alpha1.PluginKind(p)))},
		},
		Type: secretType, Data: map[string][]byte{v1alpha1.PluginDocumentsKey: text},
	}
	if cluster := p.GetLabels()[clusterv1.ClusterNameLabel]; cluster != "" {
		secret.Labels = map[string]string{clusterv1.ClusterNameLabel: cluster}
	}
	if err := r.Client.Create(ctx, secret); err != nil {
		return result{}, fmt.Errorf("create Secret %s: %w", key.Name, err)
	}
	r.Secrets.Note(secret)
	return result{secret: key.Name, reason: reasonReady}, nil
}

func (r *Reconciler) change(ctx context.Context, known *corev1.Secret, text []byte) (result, error) {
	changed := known.DeepCopy()
	changed.Data = map[string][]byte{v1alpha1.PluginDocumentsKey: text}
	if err := r.Client.Update(ctx, changed); err != nil {
		return result{}, fmt.Errorf("update Secret %s: %w", known.Name, err)
	}
	r.Secrets.Note(changed)
	return result{secret: known.Name, reason: reasonReady}, nil
}

// secretName returns the same name for a resource each time, so that the Secret is found after a move.
func secretName(p v1alpha1.Plugin) string {
	const longest = 253
	kind := reserved.PluginSuffix(v1alpha1.PluginKind(p))
	if name := p.GetName() + kind; len(name) <= longest {
		return name
	}
	sum := sha256.Sum256([]byte(p.GetName()))
	suffix := "-" + hex.EncodeToString(sum[:5]) + kind
	return strings.TrimRight(p.GetName()[:longest-len(suffix)], ".-") + suffix
}
