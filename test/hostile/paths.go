package hostile

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// pathCases are files, directories and links with names that Linux permits.
func pathCases() []Case {
	var all []Case
	for _, n := range pathNames() {
		all = append(all, path(n.name, n.reason, Dir+"/path/"+n.path), directory(n), link(n))
	}
	return all
}

// directory is a case of a directory of the name, and a file in it.
func directory(n pathName) Case {
	d := machine.Directory{Path: Dir + "/directory/" + n.path, Mode: 0o711}
	f := machine.File{Path: d.Path + "/file", Content: document.Text(n.name)}
	return Case{
		Name: "directory-" + n.name, Reason: n.reason, Documents: []document.Document{doc(d), doc(f)},
		Files: map[string][]byte{f.Path: []byte(n.name)},
	}
}

// link is a case of a link of the name to a file of the name. The target is relative, so that it is also valid in the
// directory of a test.
func link(n pathName) Case {
	up := strings.Repeat("../", 1+strings.Count(n.path, "/"))
	l := machine.Link{Path: Dir + "/link/" + n.path, Target: up + "target/" + n.path}
	f := machine.File{Path: Dir + "/target/" + n.path, Content: document.Text(n.name)}
	return Case{
		Name: "link-" + n.name, Reason: n.reason, Documents: []document.Document{doc(l), doc(f)},
		Files: map[string][]byte{l.Path: []byte(n.name), f.Path: []byte(n.name)},
	}
}

type pathName struct{ name, reason, path string }

func pathNames() []pathName {
	return []pathName{
		{"hash", "an incumbent cuts it at the hash", "a #b"},
		{"space", "a blank", "a b"},
		{"leading-space", "a leading blank", " a"},
		{"trailing-space", "a trailing blank", "a "},
		{"colon", "a YAML mapping", "a: b"},
		{"trailing-colon", "a YAML key", "a:"},
		{"single-quote", "ends a word", "it's"},
		{"double-quote", "ends a string", `say "hi"`},
		{"backslash", "an escape", `a\nb`},
		{"dollar", "a variable", "$HOME"},
		{"backtick", "a command", "`id`"},
		{"percent", "a specifier or a URL's escape", "100%25 %n"},
		{"jinja", "a template", "{{ x }}"},
		{"star", "a glob", "*?[a]"},
		{"dash", "looks like an option", "-rf"},
		{"double-dash", "looks like the end of options", "--"},
		{"tilde", "a home directory", "~root"},
		{"newline", "legal in a path", "a\nb"},
		{"tab", "legal in a path", "a\tb"},
		{"unicode", "beyond ASCII", "Grüße-日本-\U0001F680"},
		{"combining", "must not be normalised", "e\u0301"},
		{"dots", "dots that are no parents", "..a/...b"},
		{"hidden", "a hidden file", ".hidden"},
		{"deep", "many directories", repeat("d/", 60) + "f"},
		{"long-name", "255 bytes", repeat("n", 240)},
		{"yes", "a boolean", "yes"},
		{"semicolon", "ends a command", "a;reboot"},
		{"ampersand", "two commands", "a&&b|c>d"},
		{"equals", "an assignment", "a=b"},
		{"at", "a unit instance", "a@b"},
	}
}
