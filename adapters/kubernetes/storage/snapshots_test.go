package storage_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// TestSnapshotsAreStoredInBuckets checks that a control plane uses only storages of its namespace and of its
// controller, with their credentials.
func TestSnapshotsAreStoredInBuckets(t *testing.T) {
	ours := delivery.StorageRef{Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"}
	missing, otherKind, otherGroup := ours, ours, ours
	missing.Name, otherKind.Kind, otherGroup.Group = "b", "Secret", "x.io"
	for name, c := range map[string]struct {
		ref               delivery.StorageRef
		namespace, filter string
		// want is a part of the message, or empty if the storage is opened.
		want string
	}{
		"a storage":            {ours, "default", "", ""},
		"another namespace":    {ours, "other", "", "there is no S3BootstrapStorage bucket"},
		"another controller":   {ours, "default", "x", "there is no S3BootstrapStorage bucket"},
		"a name without one":   {missing, "default", "", "no S3"},
		"another kind":         {otherKind, "default", "", "use the kind"},
		"another group":        {otherGroup, "default", "", "use the kind"},
		"a bucket that is bad": {ours, "default", "", "spec.bucket"},
	} {
		w := newWorld(t)
		opened := ""
		stores := &storage.Snapshots{Reader: w, WatchFilter: c.filter, New: func(_ context.Context,
			spec v1alpha1.S3BootstrapStorageSpec, k storage.Keys, folder string,
		) (ports.SnapshotStore, error) {
			if c.want == "spec.bucket" {
				return nil, errors.New("spec.bucket: this is not the name of a bucket")
			}
			opened = spec.Bucket + " " + folder + " " + string(k.SecretAccessKey.Reveal())
			return &memory.SnapshotStore{}, nil
		}}
		plane := ports.ControlPlane{
			Key: ports.Key{Namespace: c.namespace, Name: "cp"}, Snapshots: &ports.EtcdSnapshots{Storage: c.ref},
		}
		_, err := stores.Open(t.Context(), plane, "f/")
		var problem *ports.StorageError
		if c.want != "" && (!errors.As(err, &problem) || !strings.Contains(problem.Message, c.want)) {
			t.Errorf("%s: error %v", name, err)
		}
		if c.want == "" && (err != nil || opened != "abc f/ canary7q9zk2xw5v") {
			t.Errorf("%s: %q was opened, error %v", name, opened, err)
		}
	}
}
