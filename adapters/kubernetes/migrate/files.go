package migrate

import (
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/habits"
)

// windowsPath matches an absolute path on Windows.
var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// files converts spec.files. Other rules have consumed the files that they translate.
func (s *specs) files() {
	files := s.in.get("files")
	seen := map[string]*node{}
	for _, f := range files.items() {
		if f.node.Kind != yaml.MappingNode {
			f.add(f, Decision, "a text replaces a whole file; make sure that it has the form of spec.machine.files")
			extend(s.out, "machine.files", f.take())
			continue
		}
		if f.used[f.node] || s.kubeVIP(f) {
			continue
		}
		out := s.file(f)
		name := lookup(out, "path")
		if name == nil {
			continue
		}
		if before := seen[name.Value]; before != nil {
			s.mergeFile(f, before, out)
			continue
		}
		seen[name.Value] = out
		extend(s.out, "machine.files", out)
	}
	copyComments(files.key, s.out, "machine.files")
	s.opaque(s.in, "machine", "files")
}

// file converts one file.
func (s *specs) file(f field) *node {
	out := mapping()
	out.HeadComment, out.LineComment, out.FootComment = f.node.HeadComment, f.node.LineComment, f.node.FootComment
	s.filePath(f.get("path"), out)
	move(f.get("owner"), out, "owner")
	if move(f.get("permissions"), out, "permissions") {
		asString(lookup(out, "permissions"))
	}
	s.encoding(f, out)
	if f.get("append").is("true") {
		move(f.get("append"), out, "append")
	}
	f.get("append").take()
	s.fileContent(f, out)
	secret := f.get("contentFrom", "secret")
	if secret.exists() {
		s.secret(secret, out, "contentFrom.secret")
		if lookup(out, "permissions") == nil {
			put(out, "permissions", quoted("0644"))
			f.add(f, Note, "the permissions are those of cloud-init; without them, a file from a Secret has 0600")
		}
	}
	return out
}

// secret moves a reference to a key of a Secret.
func (s *specs) secret(in field, out *node, to string) {
	move(in.get("name"), out, to+".name")
	move(in.get("key"), out, to+".key")
}

func (s *specs) filePath(in field, out *node) {
	if windowsPath.MatchString(in.text()) && strings.Contains(in.text(), "/") {
		in.take()
		put(out, "path", text(strings.ReplaceAll(in.text(), "/", `\`)))
		in.add(in, Changed, "paths on Windows have backslashes")
		return
	}
	move(in, out, "path")
}

func (s *specs) encoding(f field, out *node) {
	encoding, content := f.get("encoding"), f.get("content")
	if encoding.is("gzip") && content.exists() {
		encoding.report(NoCounterpart, "content is text, and cannot be gzip; use gzip+base64")
	}
	move(encoding.unused(), out, "encoding")
}

// fileContent converts the content, in which facts replace placeholders.
func (s *specs) fileContent(f field, out *node) {
	content := f.get("content")
	template := s.template(f, find(out, "encoding") != nil)
	if !content.exists() {
		return
	}
	encoded := find(out, "encoding") != nil || !s.jinja()
	var found []piece
	for _, p := range template {
		if p.fact != "" {
			found = append(found, p)
			continue
		}
		value := s.initTests(content, p.text)
		if encoded || !habits.HasJinja(value) {
			found = append(found, piece{text: value})
			continue
		}
		found = append(found, s.jinjaPieces(content, value)...)
	}
	if hasFact(found) {
		content.take()
		put(out, "parts", parts(found))
		return
	}
	value := ""
	for _, p := range found {
		value += p.text
	}
	move(content, out, "content")
	if value != content.text() {
		lookup(out, "content").Value = value
	}
}

// jinjaPieces splits a text at the placeholders of cloud-init, and reports those without a fact.
func (s *specs) jinjaPieces(in field, value string) []piece {
	found, unknown := pieces(value)
	for _, u := range unknown {
		in.add(in, NoCounterpart, "no fact replaces the placeholder %q; set the value by hand", u)
	}
	s.statements(in, value)
	if hasFact(found) {
		in.add(in, Changed, factsInFiles)
	}
	return found
}

// statements reports statements of Jinja, such as conditions.
func (s *specs) statements(in field, value string) {
	if s.jinja() && habits.HasJinjaStatement(value) {
		in.add(in, NoCounterpart, "a statement of Jinja is not executed; write a command that reads files with facts")
	}
}

// jinja reports whether cloud-init replaces placeholders in the userdata: the kubeadm provider's cloud-config is a
// template of Jinja, its Ignition is not.
func (s *specs) jinja() bool { return !s.isIgnition() }

func (s *specs) isIgnition() bool { return s.in.get("format").is("ignition") }

// mergeFile appends the content of a file to an earlier one with the same path.
func (s *specs) mergeFile(f field, before, out *node) {
	a, b := lookup(before, "content"), lookup(out, "content")
	plain := a != nil && b != nil && lookup(before, "encoding") == nil && lookup(out, "encoding") == nil
	switch {
	case lookup(out, "append") != nil && plain:
		put(before, "content", text(a.Value+b.Value))
		f.add(f, Changed, "the content was appended to that of the earlier file with this path")
	case lookup(out, "append") == nil:
		before.Content = out.Content
		f.add(f, Changed, "this file replaced the earlier one with the same path")
	default:
		f.add(f, Decision, "a path can occur once; this file was left out, append its content in a command")
	}
}

// patches converts the files in the directory of kubeadm's patches.
func (s *specs) patches() {
	moved := ""
	for _, name := range []string{"joinConfiguration", "initConfiguration"} {
		directory := s.in.get(name, "patches", "directory")
		if !directory.exists() || directory.used[directory.node] {
			continue
		}
		if directory.text() == moved || s.patchFiles(directory.text()) {
			moved = directory.text()
			directory.report(Changed, kubeadmPatches)
			continue
		}
		if moved != "" {
			directory.report(NoCounterpart, "spec.node.patchesDirectory and spec.node.patches are the same for the first and "+
				"for later machines; use one directory")
			continue
		}
		moved = directory.text()
		directory.report(Changed, "no file of spec.files is in this directory, so it is one of the image")
		set(s.out, "node.patchesDirectory", directory.node)
	}
}

// patchName matches the names of patches: TARGET[SUFFIX][+TYPE].EXTENSION (kubeadm init --help, --patches).
var patchName = regexp.MustCompile(
	`^(kube-apiserver|kube-controller-manager|kube-scheduler|etcd|kubeletconfiguration|corednsdeployment)[^+.]*` +
		`(?:\+(strategic|merge|json))?\.(?:json|yaml)$`)

func (s *specs) patchFiles(directory string) bool {
	moved := false
	for _, f := range s.in.get("files").items() {
		dir, name := path.Split(f.get("path").text())
		match := patchName.FindStringSubmatch(name)
		if match == nil || f.used[f.node] || path.Clean(dir) != path.Clean(directory) || f.get("encoding").text() != "" ||
			habits.HasJinja(f.get("content").text()) {
			continue
		}
		out := put(mapping(), "target", text(match[1]))
		if match[2] != "" {
			put(out, "type", text(match[2]))
		}
		move(f.get("content"), out, "content")
		if secret := f.get("contentFrom", "secret"); secret.exists() {
			s.secret(secret, out, "contentFrom.secret")
		}
		extend(s.out, "node.patches", out)
		f.report(Changed, "the file is now an element of spec.node.patches")
		moved = true
	}
	return moved
}
