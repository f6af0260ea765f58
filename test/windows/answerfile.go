package windows

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The namespaces of an answer file.
const (
	namespace = "urn:schemas-microsoft-com:unattend"
	wcm       = "http://schemas.microsoft.com/WMIConfig/2002/State"
	own       = "urn:machineadm:unattend:1"
)

// Node is an XML element.
type Node struct {
	Name  xml.Name
	Attrs []xml.Attr
	Text  string
	Below []*Node
}

// Parse reads a document; namespaces are resolved.
func Parse(data []byte) (*Node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = true
	stack := []*Node{{}}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && len(stack) == 1 && len(stack[0].Below) == 1 {
			return stack[0].Below[0], nil
		}
		if err != nil {
			return nil, fmt.Errorf("the document: %w", err)
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &Node{Name: t.Name, Attrs: t.Attr}
			top.Below, stack = append(top.Below, n), append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.Text += string(t)
		}
	}
}

// Attr returns the attribute of the name, in no namespace or in the given one.
func (n *Node) Attr(space, local string) string {
	for _, a := range n.Attrs {
		if a.Name.Space == space && a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// At returns the element at the path below n, or nil: names, or in the place of settings and component their pass and
// name.
func (n *Node) At(path string) *Node {
	if path == "" || n == nil {
		return n
	}
	first, rest, _ := strings.Cut(path, "/")
	for _, b := range n.Below {
		if slices.Contains([]string{b.Name.Local, b.Attr("", "pass"), b.Attr("", "name")}, first) {
			return b.At(rest)
		}
	}
	return nil
}

// Texts returns the texts of n and all below it, one a line.
func (n *Node) Texts() string {
	text := strings.TrimSpace(n.Text) + "\n"
	for _, b := range n.Below {
		text += b.Texts()
	}
	return text
}

// Check holds an answer file to the structure of answer files and to the table: each component, pass, element and
// attribute is in it, in its order and within its limits.
func Check(t testing.TB, root *Node) {
	t.Helper()
	if root.Name != (xml.Name{Space: namespace, Local: "unattend"}) {
		t.Fatalf("the root is %v", root.Name)
	}
	passes := []string{"specialize", "oobeSystem"}
	at := 0
	for i, n := range root.Below {
		switch {
		case n.Name == xml.Name{Space: own, Local: "Machineadm"} && i == len(root.Below)-1:
		case n.Name == xml.Name{Space: namespace, Local: "settings"}:
			next := slices.Index(passes, n.Attr("", "pass"))
			if next < at || len(n.Attrs) != 1 {
				t.Errorf("settings of pass %q: %v", n.Attr("", "pass"), n.Attrs)
			}
			at = next
			checkSettings(t, n)
		default:
			t.Errorf("the root holds %v", n.Name)
		}
	}
}

func checkSettings(t testing.TB, settings *Node) {
	t.Helper()
	var seen []string
	for _, c := range settings.Below {
		name := c.Attr("", "name")
		for key, want := range map[string]string{
			"processorArchitecture": "amd64", "publicKeyToken": "31bf3856ad364e35", "language": "neutral",
			"versionScope": "nonSxS",
		} {
			if c.Attr("", key) != want {
				t.Errorf("%s: %s is %q, not %q", name, key, c.Attr("", key), want)
			}
		}
		if c.Name != (xml.Name{Space: namespace, Local: "component"}) || len(c.Attrs) != 5 || slices.Contains(seen, name) {
			t.Errorf("%v %v is after %v", c.Name, c.Attrs, seen)
		}
		seen = append(seen, name)
		i := slices.IndexFunc(components(), func(known component) bool { return known.Name == name })
		if i < 0 {
			t.Errorf("the table has no %s", name)
			continue
		}
		checkBelow(t, components()[i], settings.Attr("", "pass"), c, "")
	}
}

// checkBelow checks the elements below n, which is at the path in its component.
func checkBelow(t testing.TB, c component, pass string, n *Node, path string) {
	t.Helper()
	last := -1
	orders := map[string]bool{}
	for _, b := range n.Below {
		below := strings.TrimPrefix(path+"/"+b.Name.Local, "/")
		i := slices.IndexFunc(c.Elements, func(e element) bool { return e.Path == below && e.Pass == pass })
		if i < 0 || b.Name.Space != namespace {
			t.Errorf("%s: the table has no %s in pass %s", c.Name, below, pass)
			continue
		}
		e := c.Elements[i]
		if i < last || (i == last && !e.Item) {
			t.Errorf("%s: %s is after elements that must follow it, or repeated", c.Name, below)
		}
		last = i
		checkElement(t, c.Name, e, b)
		if order := b.At("Order"); order != nil && orders[order.Text] {
			t.Errorf("%s: two commands have the order %s", c.Name, order.Text)
		} else if order != nil {
			orders[order.Text] = true
		}
		checkBelow(t, c, pass, b, below)
	}
}

func checkElement(t testing.TB, component string, e element, n *Node) {
	t.Helper()
	action := n.Attr(wcm, "action")
	if e.Item != (action == "add") || len(n.Attrs) > 1 || (len(n.Attrs) == 1) != e.Item {
		t.Errorf("%s: %s has the attributes %v", component, e.Path, n.Attrs)
	}
	text := strings.TrimSpace(n.Text)
	switch {
	case e.Holds != (len(n.Below) > 0) || e.Holds != (text == ""):
		t.Errorf("%s: %s holds %d elements and the text %q", component, e.Path, len(n.Below), n.Text)
	case e.Max > 0 && utf8.RuneCountInString(n.Text) > e.Max:
		t.Errorf("%s: %s has more than %d characters", component, e.Path, e.Max)
	case len(e.Values) > 0 && !slices.Contains(e.Values, n.Text):
		t.Errorf("%s: %s is %q, none of %v", component, e.Path, n.Text, e.Values)
	}
}
