package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/hack/tree"
)

var (
	wordPattern = regexp.MustCompile(
		`(?i)\b(says?|said|tells?|told|stands?|whoever|nobody|somebody|anew|shall|(?:bring(?:s|ing)?|brought) (?:\w+ ` +
			`)?about)\b`)
	// accountPattern matches the account nobody, which is a name and not prose.
	accountPattern = regexp.MustCompile("(?i)`nobody`|\\b(user|account|as|uid) " +
		"nobody\\b|\"nobody\"|nobody:|nobody\\(65534\\)")
	codePattern     = regexp.MustCompile("`[^`]*`")
	commentPattern  = regexp.MustCompile(`^\s*(#|//)\s(.*)`)
	commentedSuffix = regexp.MustCompile(`\.(sh|py|ps1|ya?ml)$|(^|/)Makefile$`)
)

// occurrence is a word at a place.
type occurrence struct {
	path       string
	line       int
	word, text string
}

// String returns path:line: word: the line.
func (o occurrence) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", o.path, o.line, o.word, o.text)
}

// searcher collects what it finds below a folder.
type searcher struct {
	root  string
	found []occurrence
}

// search returns the occurrences in all text of the tree that people wrote. Files that git ignores, testdata, generated
// files and this command are left out.
func search(ctx context.Context, root string) ([]occurrence, error) {
	files, err := tree.Files(ctx, root)
	if err != nil {
		return nil, err
	}
	s := &searcher{root: root}
	for _, path := range files {
		if err := s.file(path); err != nil {
			return nil, err
		}
	}
	return s.found, nil
}

// name returns the path of the file below the root, with slashes.
func (s *searcher) name(path string) string {
	name, err := filepath.Rel(s.root, path)
	if err != nil {
		name = path
	}
	return filepath.ToSlash(name)
}

func (s *searcher) file(path string) error {
	name := s.name(path)
	if strings.Contains("/"+name, "/testdata/") || strings.HasPrefix(name, "hack/prose/") {
		return nil
	}
	switch {
	case strings.HasSuffix(path, ".go"):
		return s.goFile(path)
	case strings.HasSuffix(path, ".md"):
		return s.lines(path, func(line string) string { return codePattern.ReplaceAllString(line, "``") })
	case commentedSuffix.MatchString(name):
		return s.lines(path, func(line string) string {
			if m := commentPattern.FindStringSubmatch(line); m != nil {
				return m[2]
			}
			return ""
		})
	default:
		return nil
	}
}

// lines searches the part of each line that prose returns.
func (s *searcher) lines(path string, prose func(line string) string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read a document: %w", err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		s.add(path, number, prose(strings.TrimSuffix(line, "\n")))
	}
	return nil
}

func (s *searcher) goFile(path string) error {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return err
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			s.add(path, set.Position(c.Pos()).Line, c.Text)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s.add(path, set.Position(lit.Pos()).Line, lit.Value)
		}
		return true
	})
	return nil
}

func (s *searcher) add(path string, first int, text string) {
	text = accountPattern.ReplaceAllString(text, "")
	line := first
	for one := range strings.SplitSeq(text, "\n") {
		for _, word := range wordPattern.FindAllString(one, -1) {
			s.found = append(s.found, occurrence{
				path: s.name(path), line: line, word: strings.ToLower(word),
				text: strings.TrimSpace(one),
			})
		}
		line++
	}
}
