package migrate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/domain/budget"
)

// FuzzConvert converts any text without a panic, and the same text to the same result.
func FuzzConvert(f *testing.F) {
	inputs, err := filepath.Glob("testdata/*.in.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range inputs {
		in, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(in)
	}
	for _, in := range []string{
		plane("files: &a\n- *a"), plane("preKubeadmCommands: ['{{ ds[\"${A}\"] }}; $(id) `id`']"),
		"kind: ${A}\n---\n${B}\n---\n[${C}]", plane("${A}: {b: ${C:=[]}}\nusers: ${D}\nfiles: [${E}]"),
		"apiVersion: cluster.x-k8s.io/v1beta2\nkind: ClusterClass\nspec: {patches: [{definitions: [{selector: {apiVersion: " +
			"bootstrap.cluster.x-k8s.io/v1beta2, kind: KubeadmConfigTemplate}, jsonPatches: [{op: add, path: " +
			"/spec/template/spec/files/-, valueFrom: {template: '{{ if }}path: {{ . }}'}}, {path: /spec/template/spec}]}]}]}",
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		convert := func() (migrate.Result, error) {
			ctx := budget.NewContext(t.Context(), budget.New(budget.Default()))
			return migrate.Convert(ctx, in, migrate.Options{})
		}
		first, err := convert()
		if err != nil {
			return
		}
		second, err := convert()
		if err != nil || string(first.Manifests) != string(second.Manifests) || len(first.Report) != len(second.Report) {
			t.Errorf("%v, or another result", err)
		}
	})
}
