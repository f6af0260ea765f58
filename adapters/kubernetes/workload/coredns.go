package workload

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/coredns/corefile-migration/migration"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// The keys of the ConfigMap coredns, and the volume of the Deployment that mounts one of them.
const (
	corefileKey   = "Corefile"
	backupKey     = "Corefile-backup"
	corefileMount = "config-volume"
	// maxCorefile limits the Corefile that is migrated, in bytes.
	maxCorefile = 64 << 10
)

// dns is CoreDNS.
type dns struct{ addon }

// settled reports whether the image is current, and no migration was interrupted.
func (d *dns) settled() bool { return d.current() && d.key() != backupKey }

// key returns the key of the Corefile that the Pods mount.
func (d *dns) key() string {
	if item := d.item(); item != nil {
		return item.Key
	}
	return corefileKey
}

// item returns the item of the volume that is the Corefile, or nil.
func (d *dns) item() *corev1.KeyToPath {
	for _, v := range d.pod.Spec.Volumes {
		if v.Name != corefileMount || v.ConfigMap == nil || v.ConfigMap.Name != coreDNS {
			continue
		}
		for i := range v.ConfigMap.Items {
			if key := v.ConfigMap.Items[i].Key; key == corefileKey || key == backupKey {
				return &v.ConfigMap.Items[i]
			}
		}
	}
	return nil
}

// updateDNS sets the image. If the new version needs another Corefile, the Pods of the old version read a copy of the
// old one until the image changes. Each step can be repeated.
func updateDNS(ctx context.Context, api client.Client, c ports.ControlPlane) error {
	d, err := findDNS(ctx, api, c)
	if err != nil || d == nil || d.settled() {
		return err
	}
	from, to, err := d.next()
	if err != nil {
		return wrap("update "+coreDNS, err)
	}
	if coreVersion(from.tag) != coreVersion(to.tag) {
		if err := d.migrate(ctx, api, coreVersion(from.tag), coreVersion(to.tag)); err != nil {
			return err
		}
	}
	return d.patch(ctx, api, func() {
		d.container().Image = to.String()
		if item := d.item(); item != nil {
			item.Key = corefileKey
		}
	})
}

// coreVersion returns the version of a tag such as v1.14.2-build.1, as the library for migrations has it.
func coreVersion(tag string) string {
	version, ok := node.ParseVersion(strings.ReplaceAll(tag, "_", "+"))
	if !ok {
		return tag
	}
	return strings.TrimPrefix(version.String(), "v")
}

// migrate writes the Corefile of the new version.
func (d *dns) migrate(ctx context.Context, api client.Client, from, to string) error {
	config, err := readCorefile(ctx, api)
	if err != nil {
		return err
	}
	// After an interruption, the Corefile may already be that of the new version.
	old, found := config.Data[d.key()]
	if !found || len(old) > maxCorefile {
		return fmt.Errorf("ConfigMap %s: the key %s is missing, or has more than %d bytes", coreDNS, d.key(), maxCorefile)
	}
	migrated, err := migrateCorefile(from, to, old)
	if err != nil || migrated == old && d.key() == corefileKey {
		return err
	}
	if err := writeCorefile(ctx, api, backupKey, old); err != nil {
		return err
	}
	if err := d.patch(ctx, api, func() {
		if item := d.item(); item != nil {
			item.Key = backupKey
		}
	}); err != nil {
		return err
	}
	return writeCorefile(ctx, api, corefileKey, migrated)
}

// migrateCorefile returns the Corefile for another version.
func migrateCorefile(from, to, corefile string) (string, error) {
	older, okOld := node.ParseVersion(from)
	newer, okNew := node.ParseVersion(to)
	if !okOld || !okNew || newer.Less(older) {
		return "", fmt.Errorf("update %s from %s to %s: an older version may not read the Corefile; use a newer tag", coreDNS,
			bounded(from), bounded(to))
	}
	migrated, err := runMigration(from, to, corefile)
	if err != nil {
		return "", fmt.Errorf("migrate the Corefile from %s to %s: %s; migrate it yourself and set the add-on to Unmanaged",
			bounded(from), bounded(to), bounded(err.Error()))
	}
	return migrated, nil
}

// runMigration runs the library. It panics for some texts that are not a Corefile.
func runMigration(from, to, corefile string) (migrated string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it is not valid")
		}
	}()
	return migration.Migrate(from, to, corefile, false)
}

func readCorefile(ctx context.Context, api client.Reader) (*corev1.ConfigMap, error) {
	config := &corev1.ConfigMap{}
	err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: coreDNS}, config)
	if apierrors.IsNotFound(err) {
		return nil, errors.New("ConfigMap coredns does not exist; create it, or set the add-on to Unmanaged")
	}
	return config, apiError("get ConfigMap "+coreDNS, err)
}

// writeCorefile sets one key, and keeps the others.
func writeCorefile(ctx context.Context, api client.Client, key, text string) error {
	return apiError("update ConfigMap "+coreDNS, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		config, err := readCorefile(ctx, api)
		if err != nil || config.Data[key] == text {
			return err
		}
		config.Data[key] = text
		return api.Update(ctx, config)
	}))
}
