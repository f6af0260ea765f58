package talos

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	talosconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"go.yaml.in/yaml/v3"
)

// The library's encoder writes a text of several lines as a block, and loses its indentation if its first line that is
// not empty begins with a blank or a tab (go.yaml.in/yaml/v4 4.0.0-rc.4). Such texts are held back while it encodes,
// and put in their places afterwards, in double quotes.

// heldPrefix is the prefix of placeholders for texts.
const heldPrefix = "machineadm-held-text-"

// lineBreaks are those of YAML 1.1, which the encoder keeps to.
const lineBreaks = "\n\u0085\u2028\u2029"

// errFragileKey is the answer to a mapping's key that the encoder would break.
var errFragileKey = errors.New("a key begins with an empty or indented line")

// awkward reports whether a text is more than a line of ASCII: on their way through JSON and back others may be
// changed.
func awkward(s string) bool {
	return strings.HasPrefix(s, heldPrefix) || strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}

// fragile reports whether the encoder would break the text, or would take it for one that is held.
func fragile(s string) bool {
	if strings.HasPrefix(s, heldPrefix) {
		return true
	}
	first := strings.TrimLeft(s, lineBreaks)
	return strings.ContainsAny(s, lineBreaks) && (strings.HasPrefix(first, " ") || strings.HasPrefix(first, "\t"))
}

// encode writes the configuration without the comments by which the library explains it.
func encode(c talosconfig.Provider) ([]byte, error) {
	found := &texts{held: fragile}
	found.walk(reflect.ValueOf(c.Documents()))
	if found.keys > 0 {
		return nil, errFragileKey
	}
	if len(found.list) == 0 {
		return c.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))
	}
	clone, held := hold(c, fragile)
	data, err := clone.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))
	if err != nil {
		return nil, err
	}
	return held.putBack(data)
}

// hold returns the configuration without the texts of the kind, and these.
func hold(c talosconfig.Provider, kind func(string) bool) (talosconfig.Provider, *texts) {
	t, clone := &texts{held: kind}, c.Clone()
	t.instead = func(string) string { return heldPrefix + strconv.Itoa(len(t.list)-1) }
	t.walk(reflect.ValueOf(clone.Documents()))
	return clone, t
}

// restore puts the texts in their places in a configuration.
func (t *texts) restore(c talosconfig.Provider) talosconfig.Provider {
	clone := c.Clone()
	back := &texts{held: func(s string) bool { return strings.HasPrefix(s, heldPrefix) }, instead: t.text}
	back.walk(reflect.ValueOf(clone.Documents()))
	return clone
}

// text returns the text of the placeholder s, or s.
func (t *texts) text(s string) string {
	i, err := strconv.Atoi(strings.TrimPrefix(s, heldPrefix))
	if err != nil || i < 0 || i >= len(t.list) {
		return s
	}
	return t.list[i]
}

// texts are those of a kind in a configuration.
type texts struct {
	held func(string) bool
	// instead returns what is put in the place of each; without it they are only found.
	instead func(string) string
	list    []string
	// keys is how many keys of mappings are among them.
	keys int
}

// walk goes through all texts below the value that an encoder sees.
func (t *texts) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		t.walk(v.Elem())
	case reflect.Interface:
		t.walkInterface(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				t.walk(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := 0; v.Type().Elem().Kind() != reflect.Uint8 && i < v.Len(); i++ {
			t.walk(v.Index(i))
		}
	case reflect.Map:
		t.walkMap(v)
	case reflect.String:
		if t.held(v.String()) {
			t.take(v)
		}
	default: // is no text
	}
}

func (t *texts) take(v reflect.Value) {
	t.list = append(t.list, v.String())
	if t.instead != nil {
		v.SetString(t.instead(v.String()))
	}
}

// settable returns a copy that can be changed.
func settable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func (t *texts) walkInterface(v reflect.Value) {
	if v.IsNil() {
		return
	}
	below := settable(v.Elem())
	t.walk(below)
	if t.instead != nil && v.CanSet() {
		v.Set(below)
	}
}

func (t *texts) walkMap(v reflect.Value) {
	for _, key := range v.MapKeys() {
		if key.Kind() == reflect.String && t.held(key.String()) {
			t.keys++
		}
		below := settable(v.MapIndex(key))
		t.walk(below)
		if t.instead != nil {
			v.SetMapIndex(key, below)
		}
	}
}

// putBack puts the texts in their places.
func (t *texts) putBack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(4)
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			err = encoder.Close()
			return out.Bytes(), err
		}
		if err != nil {
			return nil, err
		}
		t.fill(&document)
		if err := encoder.Encode(&document); err != nil {
			return nil, err
		}
	}
}

// fill puts the text in its place, and what is no UTF-8 in base64, which YAML calls binary.
func (t *texts) fill(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, heldPrefix) {
		n.SetString(t.text(n.Value))
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, below := range n.Content {
		t.fill(below)
	}
}
