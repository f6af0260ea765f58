package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Meaning returns a digest of what the spec means for a machine. Specs that differ only in their spelling have the same
// digest: a default that is written out, an empty list or group, the order of a set, the whitespace of structured
// configuration, or another encoding of a content. References count by name, not by the content that they refer to.
//
// A digest is compared only with digests of the same program, and never stored: the specs are. Another version of
// machineadm computes both sides of a comparison again, so an upgrade of machineadm changes no verdict.
func Meaning(s *v1alpha1.MachineBootstrapConfigSpec) string {
	tree, _ := normaliser(rules()).value(reflect.ValueOf(s).Elem()).(map[string]any)
	withFormat(tree)
	// A tree of maps, lists and strings always has a JSON form, in which keys are sorted.
	text, _ := json.Marshal(tree)
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// normaliser removes what has no meaning from values, by the rules of fields.
type normaliser map[string]rule

// value returns the value as a tree of maps, lists and strings, without what has no meaning. It is nil for a value
// that means the same as none.
func (n normaliser) value(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return n.pointer(v)
	case reflect.Struct:
		return n.fields(v)
	case reflect.Slice:
		return n.list(v)
	case reflect.Map:
		return n.entries(v)
	case reflect.Bool:
		if !v.Bool() {
			return nil
		}
		return "true"
	case reflect.Int32, reflect.Int64:
		if v.Int() == 0 {
			return nil
		}
		return strconv.FormatInt(v.Int(), 10)
	default:
		if v.String() == "" {
			return nil
		}
		if size, ok := v.Interface().(v1alpha1.ByteSize); ok {
			if bytes, err := size.Bytes(); err == nil {
				return strconv.FormatInt(bytes, 10)
			}
		}
		return v.String()
	}
}

// pointer distinguishes a value that is set to its zero value from one that is not set, except for groups.
func (n normaliser) pointer(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	if of := n.value(v.Elem()); of != nil {
		return of
	}
	switch v.Elem().Kind() {
	case reflect.Struct:
		if isGroup(v.Elem().Type()) {
			return nil
		}
		return map[string]any{}
	case reflect.Slice:
		return []any{}
	case reflect.Bool:
		return "false"
	case reflect.Int32, reflect.Int64:
		return "0"
	default:
		return ""
	}
}

// fields returns a map of the fields by name, or nil if none has a meaning.
func (n normaliser) fields(v reflect.Value) any {
	if o, ok := v.Addr().Interface().(*runtime.RawExtension); ok {
		return compactJSON(o.Raw)
	}
	fields := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		rule := n[v.Type().Name()+"."+field.Name]
		if rule.ignored != "" {
			continue
		}
		value := rule.apply(n.value(v.Field(i)))
		if value == nil {
			continue
		}
		if inner, ok := value.(map[string]any); ok && field.Anonymous {
			for name, value := range inner {
				fields[name] = value
			}
			continue
		}
		fields[field.Name] = value
	}
	decodeContent(fields)
	if len(fields) == 0 {
		return nil
	}
	return fields
}

func (n normaliser) list(v reflect.Value) any {
	if v.Len() == 0 {
		return nil
	}
	list := make([]any, 0, v.Len())
	for i := range v.Len() {
		list = append(list, n.value(v.Index(i)))
	}
	return list
}

func (n normaliser) entries(v reflect.Value) any {
	if v.Len() == 0 {
		return nil
	}
	entries := map[string]any{}
	for _, key := range v.MapKeys() {
		// An entry has a meaning even if its value is empty or false.
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		entries[key.String()] = n.pointer(value.Addr())
	}
	return entries
}

// compactJSON removes whitespace. The API server stores the keys of objects sorted.
func compactJSON(raw []byte) any {
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return string(raw)
	}
	switch text := compact.String(); text {
	case "", "null":
		return nil
	default:
		return text
	}
}

// decodeContent replaces a text in base64 by the text that it encodes. Bytes that are not text stay encoded, in one
// spelling. Compressed text is compared as it is written: decompression costs memory that no budget limits here.
func decodeContent(fields map[string]any) {
	text, _ := fields["Content"].(string)
	if fields["Encoding"] != string(v1alpha1.EncodingBase64) || text == "" {
		return
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return
	}
	if !utf8.Valid(decoded) {
		fields["Content"] = base64.StdEncoding.EncodeToString(decoded)
		return
	}
	delete(fields, "Encoding")
	fields["Content"] = string(decoded)
}

// withFormat adds the default format of the operating system, and removes the format of snippets that name the same.
func withFormat(spec map[string]any) {
	system, _ := spec["OS"].(map[string]any)
	distribution, _ := system["Distribution"].(string)
	if spec["Format"] == nil && system["ProfileFrom"] == nil {
		if profile, known := osprofile.Lookup(distribution); known {
			target := osprofile.Target{Profile: profile}
			target.Release, _ = system["Version"].(string)
			spec["Format"] = string(target.DefaultFormat())
		}
	}
	options, _ := spec["FormatOptions"].(map[string]any)
	snippets, _ := options["Snippets"].([]any)
	for _, s := range snippets {
		if s, ok := s.(map[string]any); ok && s["Format"] == spec["Format"] {
			delete(s, "Format")
		}
	}
}
