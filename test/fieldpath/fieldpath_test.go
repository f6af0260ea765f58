package fieldpath_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/fieldpath"
)

type inner struct {
	Name string `json:"name"`
}

type outer struct {
	Given   string         `json:"given"`
	List    []inner        `json:"list"`
	Pointer *inner         `json:"pointer"`
	Map     map[string]int `json:"map"`
}

func TestResolve(t *testing.T) {
	tree := map[string]any{"list": []any{map[string]any{}}, "map": map[string]any{"a.b": 1}}
	for path, exists := range map[string]bool{
		"": true, "given": true, "list": true, "list[0]": true, "list[0].name": true, "pointer.name": true,
		`map["a.b"]`: true,
		"list[1]":    false, "list[0].other": false, "other": false, "pointer.other": false, "list[": false,
		"given.name":         false,
		"list[0].name.other": false,
	} {
		if err := fieldpath.Resolve(reflect.TypeFor[outer](), tree, path); (err == nil) != exists {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestLeaves(t *testing.T) {
	v := outer{Given: "x", List: []inner{{}, {Name: "y"}}, Map: map[string]int{"a": 1}}
	want := []string{"given", "list[1].name", "map"}
	if diff := cmp.Diff(want, fieldpath.Leaves(reflect.ValueOf(v), "")); diff != "" {
		t.Error(diff)
	}
}
