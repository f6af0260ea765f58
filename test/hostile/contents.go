package hostile

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func contentCases() []Case {
	return slices.Concat(blankContents(), byteContents(), templateContents(), yamlContents(), formatContents(),
		wholeContents())
}

// blankContents holds blanks and line ends.
func blankContents() []Case {
	return []Case{
		content("leading-space", "an incumbent writes YAML that does not parse", " a\n"),
		content("leading-tab", "YAML forbids a tab as indentation", "\ta\n"),
		content("leading-newline", "a literal block loses or keeps it by its indicator", "\na\n"),
		content("only-newline", "a block of nothing", "\n"),
		content("only-spaces", "a block of blanks", "   "),
		content("only-newlines", "chomping eats them", "\n\n\n"),
		content("empty", "an empty file is a file", ""),
		content("no-final-newline", "a literal block adds one", "a"),
		content("many-final-newlines", "chomping keeps one", "a\n\n\n"),
		content("trailing-spaces", "editors and folding strip them", "a  \nb\t\n"),
		content("crlf", "YAML readers turn CRLF into LF", "a\r\nb\r\n"),
		content("cr", "a lone CR is a line break to YAML", "a\rb\r"),
	}
}

// byteContents holds bytes that are not text, or not the same text everywhere.
func byteContents() []Case {
	return []Case{
		content("nul", "YAML has no NUL", "a\x00b"),
		content("bell", "YAML forbids most control characters", "\a\b\x1b[31m"),
		content("delete", "0x7f is forbidden too", "\x7f"),
		content("latin1", "bytes that are not UTF-8", "\xe9\xff\xfe"),
		content("bom", "a byte order mark at the start is dropped by YAML", "\ufeffa\n"),
		content("nel", "U+0085 is a line break to YAML 1.1", "a\u0085b"),
		content("line-separator", "U+2028 and U+2029 are line breaks to YAML 1.1", "a\u2028b\u2029c"),
		content("emoji", "beyond the basic plane", "\U0001F680\n"),
		content("surrogate", "an encoded surrogate is no UTF-8", "\xed\xa0\x80"),
	}
}

// templateContents holds what templates, shells and formats interpret.
func templateContents() []Case {
	return []Case{
		content("jinja", "a Jinja header makes this an error", "{{ ds.meta_data.local_hostname }}\n"),
		content("jinja-block", "and this a loop", "{% for i in range(9) %}x{% endfor %}{# c #}\n"),
		content("jinja-header", "a file that looks like the header", "## template: jinja\n#cloud-config\n"),
		content("go-template", "Go's delimiters", "{{ .Values.x }}{{- end }}\n"),
		content("percent", "printf, URLs and systemd read percent signs", "100% %s %d %% %n %2F\n"),
		content("dollar", "a shell expands it", "$HOME ${PATH} $(id) `id` $$ $1\n"),
		content("single-quote", "ends a shell word", "it's 'quoted'\n"),
		content("double-quote", "ends a YAML or JSON string", "say \"hi\"\n"),
		content("backslash", "an escape in most languages", "a\\nb\\\\c\\x41\\u0041\n"),
		content("heredoc", "ends a here-document", "EOF\nEND\n_EOF_\n"),
	}
}

// yamlContents holds what YAML takes for something else.
func yamlContents() []Case {
	return []Case{
		content("yaml-document", "document markers inside a block", "---\na: b\n...\n---\n"),
		content("yaml-alias", "an alias", "*foo &bar !!binary |\n"),
		content("yaml-indicators", "each of YAML's indicators", "- ? : , [ ] { } # & * ! | > ' \" % @ `\n"),
		content("comment", "what follows a hash is dropped", "a #b\n#c\n"),
		content("tilde", "null to YAML", "~"),
		content("yes", "true to YAML 1.1", "yes"),
		content("norway", "false to YAML 1.1", "no"),
		content("on", "true to YAML 1.1", "on"),
		content("null", "null", "null"),
		content("octal", "420 to YAML 1.1", "0644"),
		content("octal-new", "420 to YAML 1.2", "0o644"),
		content("float", "a number", "1e3"),
		content("infinity", "a number", ".inf"),
		content("sexagesimal", "a number in base 60 to YAML 1.1", "12:30:45"),
		content("underscore", "a number to YAML 1.1", "1_000"),
		content("date", "a timestamp", "2026-11-21"),
		content("timestamp", "a timestamp", "2026-11-21T04:05:06Z"),
		content("merge-key", "a merge key", "<<"),
		content("equals", "the default value of YAML 1.1", "="),
	}
}

// formatContents holds what looks like another format.
func formatContents() []Case {
	return []Case{
		content("base64", "looks like its own encoding", "aGVsbG8="),
		content("gzip-magic", "looks compressed", "\x1f\x8b\x08\x00\x00\x00\x00\x00"),
		content("data-url", "looks like a URL", "data:,hello%20world"),
		content("json", "looks like a flow mapping", `{"a": [1, "b"], "c": null}`),
		content("xml", "markup", "<![CDATA[ ]]> & &amp; <!-- -->\n"),
		content("mime", "a boundary", "--===============BOUNDARY==\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"),
		content("cloud-config-header", "looks like userdata", "#cloud-config\nruncmd: [reboot]\n"),
		content("include", "looks like userdata", "#include\nhttp://127.0.0.1:1/\n"),
		content("long-line", "longer than any line limit", repeat("x", 100000)+"\n"),
		content("many-lines", "many short lines", repeat("x\n", 20000)),
		content("spaces-only-line", "blank lines with blanks", "a\n   \nb\n"),
		content("tab-indented", "a Makefile", "all:\n\techo hi\n"),
		content("unicode-space", "blanks that are not ASCII", "\u00a0\u2003\u3000a\u200b"),
		content("bidi", "direction marks", "a\u202eb\u2066c"),
		content("combining", "not in normal form C", "e\u0301"),
		content("non-character", "U+FFFE and U+FFFF are forbidden in YAML", "\ufffe\uffff"),
		content("replacement", "the replacement character itself", "\ufffd"),
		content("placeholder", "looks like a placeholder of ours", "@@machineadm:hostname@@ ${MACHINEADM}\n"),
		content("every-byte", "each byte once", everyByte()),
		content("every-byte-twice", "each byte, compressible", repeat(everyByte(), 40)),
	}
}

// wholeContents holds large files and files that are written more than once.
func wholeContents() []Case {
	return []Case{
		file("content-large", "300 KiB that do not compress to nothing", machine.File{
			Path: Dir + "/content/large", Content: document.Text(pseudoRandom(300 << 10)),
		}),
		{
			Name: "content-append", Reason: "an incumbent overwrites", Documents: []document.Document{
				doc(machine.File{Path: Dir + "/content/appended", Content: document.Text("one")}),
				doc(machine.File{Path: Dir + "/content/appended", Content: document.Text("\ntwo\r\n"), Append: true}),
				doc(machine.File{Path: Dir + "/content/appended", Content: document.Text(" three"), Append: true}),
			},
			Files: map[string][]byte{Dir + "/content/appended": []byte("one\ntwo\r\n three")},
		},
		{
			Name: "content-rewritten", Reason: "the last of two files at one path counts", Documents: []document.Document{
				doc(machine.File{Path: Dir + "/content/rewritten", Content: document.Text("old\n")}),
				doc(machine.File{Path: Dir + "/content/rewritten", Content: document.Text("new\n")}),
			},
			Files: map[string][]byte{Dir + "/content/rewritten": []byte("new\n")},
		},
	}
}

func everyByte() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}

// pseudoRandom returns n bytes of a fixed linear congruential sequence.
func pseudoRandom(n int) string {
	b, state := make([]byte, n), uint32(1)
	for i := range b {
		state = state*1664525 + 1013904223
		b[i] = byte(state >> 24)
	}
	return string(b)
}

func modeCases() []Case {
	at := func(name, reason string, f machine.File) Case {
		f.Path, f.Content = Dir+"/mode/"+name, document.Text(name)
		return file("mode-"+name, reason, f)
	}
	return []Case{
		at("none", "an incumbent's Ignition fails without a mode", machine.File{}),
		at("setuid", "bits above 0777", machine.File{Mode: 0o4755}),
		at("sticky", "bits above 0777", machine.File{Mode: 0o1777}),
		at("write-only", "leading zero digits", machine.File{Mode: 0o002}),
		at("owner-only", "an owner without a group", machine.File{Owner: machine.Owner{User: "root"}}),
		at("group-only", "a group without an owner", machine.File{Owner: machine.Owner{Group: "root"}}),
	}
}
