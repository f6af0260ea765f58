package controller_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"runtime"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
)

// TestIndexFunctionDecodesNothing calls the index function with a config of compressed contents, since the function
// runs under the cache's lock.
func TestIndexFunctionDecodesNothing(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(make([]byte, 6<<20))
	_ = z.Close()
	part := v1alpha1.Part{
		Text:     base64.StdEncoding.EncodeToString(packed.Bytes()),
		Encoding: v1alpha1.EncodingGzipBase64,
	}
	config, _, _ := objects()
	config.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{{
		Path:  "/a",
		Parts: slices.Repeat([]v1alpha1.Part{part}, 16),
	}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	controller.ReferencesOf(config)
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; cost > 1<<20 {
		t.Errorf("it allocates %d MiB for %d bytes", cost>>20, 16*len(part.Text))
	}
}
