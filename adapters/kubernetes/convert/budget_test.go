package convert_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
)

// counter counts the lookups of a store.
type counter struct {
	store
	lookups int
}

func (c *counter) Resolve(ctx context.Context, r convert.Reference) ([]byte, error) {
	c.lookups++
	return c.store.Resolve(ctx, r)
}

// damaged compresses the text and flips a bit of its checksum.
func damaged(text string) string {
	packed, err := base64.StdEncoding.DecodeString(gzipped(text))
	if err != nil {
		panic(err)
	}
	packed[len(packed)-8] ^= 1
	return base64.StdEncoding.EncodeToString(packed)
}

func parts(n int, part v1alpha1.Part) *v1alpha1.MachineSpec {
	file := v1alpha1.FileSpec{Path: "/a", Parts: slices.Repeat([]v1alpha1.Part{part}, min(n, 64))}
	return &v1alpha1.MachineSpec{Files: slices.Repeat([]v1alpha1.FileSpec{file}, (n+63)/64)}
}

// TestConversionDrawsFromTheBudget refers to contents as often as the API server's size limit allows. The conversion
// stops at the field that exceeds the budget.
func TestConversionDrawsFromTheBudget(t *testing.T) {
	from := func(key string) *v1alpha1.ContentSource {
		return &v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "c", Key: key}}
	}
	there := store{
		"ConfigMap/c/bomb": gzipped(strings.Repeat("0", 8<<20)), "ConfigMap/c/large": strings.Repeat("0", 1<<20),
		"ConfigMap/c/base64": strings.Repeat("MDAw", 1<<18), "ConfigMap/c/small": gzipped(""),
		"ConfigMap/c/tree": "{}", "ConfigMap/c/damaged": damaged(strings.Repeat("0", 12<<20)),
	}
	const more = "with this field the object has more than 16 MiB of content"
	cases := map[string]struct {
		reason   string
		part     v1alpha1.Part
		want     string
		lookups  int
		mostCost int64
	}{
		"bomb": {
			"11 kB become 8 MiB",
			v1alpha1.Part{TextFrom: from("bomb"), Encoding: v1alpha1.EncodingGzipBase64},
			"spec.machine.files[0].parts[1].text: " + more, 2, 12 << 20,
		},
		"large": {
			"1 MiB is named again and again",
			v1alpha1.Part{TextFrom: from("large")},
			"spec.machine.files[0].parts[16].textFrom.configMap: " + more, 17, 38 << 20,
		},
		"base64": {
			"1 MiB is decoded to three quarters of it",
			v1alpha1.Part{TextFrom: from("base64"), Encoding: v1alpha1.EncodingBase64},
			"spec.machine.files[0].parts[9].textFrom.configMap: " + more, 10, 40 << 20,
		},
		"damaged": {
			"what is decompressed is spent, whether it ends well or not",
			v1alpha1.Part{TextFrom: from("damaged"), Encoding: v1alpha1.EncodingGzipBase64},
			"spec.machine.files[0].parts[1].text: " + more, 2, 12 << 20,
		},
		"small": {
			"decompression costs something even if nothing comes of it",
			v1alpha1.Part{TextFrom: from("small"), Encoding: v1alpha1.EncodingGzipBase64},
			"", 200 * 64, 10 << 20,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := config(t, "{}")
			c.Spec.Machine = parts(200*64, tc.part)
			resolver := &counter{store: there}
			var result composition.Description
			var err error
			cost := allocated(func() { result, err = convert.Config(t.Context(), c, convert.Names{}, resolver) })
			got := fmt.Sprint(result.Findings)
			if err != nil || !strings.Contains(got, tc.want) || tc.want == "" && len(result.Findings) > 0 {
				t.Errorf("%s: %v, %.200s", tc.reason, err, got)
			}
			if resolver.lookups != tc.lookups || cost > tc.mostCost {
				t.Errorf("%s: %d lookups, %d KiB", tc.reason, resolver.lookups, cost>>10)
			}
		})
	}
}

func TestTreesDrawFromTheBudget(t *testing.T) {
	c := config(t, "{}")
	raw := []byte(`{"a":[` + strings.Repeat("{},", 1<<18) + `{}]}`)
	c.Spec.Node = &v1alpha1.NodeConfigSpec{Kubelet: &v1alpha1.KubeletSpec{Config: &runtime.RawExtension{Raw: raw}}}
	var result composition.Description
	cost := allocated(func() { result, _ = convert.Config(t.Context(), c, convert.Names{}, store{}) })
	want := "spec.node.kubelet.config: with this field the object has more than 100000 YAML or JSON nodes"
	if got := fmt.Sprint(result.Findings); !strings.Contains(got, want) || cost > 1<<20 {
		t.Errorf("%d KiB, %.200s", cost>>10, got)
	}
}

// TestConversionSharesItsBudget converts two objects with one budget.
func TestConversionSharesItsBudget(t *testing.T) {
	ctx := budget.NewContext(t.Context(), budget.New(budget.Limits{Content: 3}))
	c := config(t, `machine: {files: [{path: /a, contentFrom: {configMap: {name: c, key: k}}}]}`)
	for _, want := range []int{0, 1} {
		r, err := convert.Config(ctx, c, convert.Names{}, store{"ConfigMap/c/k": "ab"})
		if err != nil || len(r.Findings) != want {
			t.Errorf("%v, %v, want %d findings", err, r.Findings, want)
		}
	}
}

// TestConversionEndsWithItsContext cancels the context at the first lookup.
func TestConversionEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := config(t, "{}")
	c.Spec.Machine = parts(64, v1alpha1.Part{
		TextFrom: &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}},
	})
	lookups := 0
	_, err := convert.Config(ctx, c, convert.Names{}, resolve(func() ([]byte, error) {
		lookups++
		cancel()
		return nil, nil
	}))
	if !errors.Is(err, context.Canceled) || lookups != 1 {
		t.Errorf("%d lookups, %v", lookups, err)
	}
}

type resolve func() ([]byte, error)

func (r resolve) Resolve(context.Context, convert.Reference) ([]byte, error) { return r() }
