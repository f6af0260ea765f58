package componentconfig

import (
	"strconv"
	"strings"
)

// field is a field of a configuration.
type field struct {
	// kind is the type of a scalar value; other values have fields, or elements of a list or of a map.
	kind    string
	fields  map[string]*field
	element *field
	isList  bool
	// since is the first minor version with the field. It is 0 for fields that the oldest version has.
	since int
}

// parse returns the object that a table describes. A line contains the path of a scalar value and its type; [] and {}
// are the elements of a list and of a map.
func parse(table string) *field {
	root := &field{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		f, since := root, 0
		if len(words) > 2 {
			since, _ = strconv.Atoi(words[2])
		}
		for name := range strings.SplitSeq(words[0], ".") {
			name, elements := cutElements(name)
			f = f.child(name, since)
			for ; elements != ""; elements = elements[2:] {
				f = f.elementOf(elements[:2] == "[]")
			}
		}
		f.kind = words[1]
	}
	return root
}

// cutElements separates a name from the brackets after it.
func cutElements(text string) (name, elements string) {
	if i := strings.IndexAny(text, "[{"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// child returns a field of an object. Its version is that of the oldest one of its own fields.
func (f *field) child(name string, since int) *field {
	if f.fields == nil {
		f.fields = map[string]*field{}
	}
	if f.fields[name] == nil {
		f.fields[name] = &field{since: since}
	}
	f.fields[name].since = min(f.fields[name].since, since)
	return f.fields[name]
}

func (f *field) elementOf(isList bool) *field {
	if f.element == nil {
		f.element, f.isList = &field{}, isList
	}
	return f.element
}
