package windows

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Program is a PowerShell program read back.
type Program struct {
	// Text is the program itself.
	Text string
	// Files are what it writes, by their paths: the last that is written to each, and what is appended after it. A fact
	// is written as [name].
	Files map[string][]byte
	// Scripts are the commands that it runs, in their order, without their byte order mark.
	Scripts []string
}

// Unpack returns what is base64 of gzip.
func Unpack(packed string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(packed))
	if err != nil {
		return nil, fmt.Errorf("the program: %w", err)
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("the program: %w", err)
	}
	return io.ReadAll(r)
}

var (
	writePattern  = regexp.MustCompile(`^Invoke-Step (.+) \{ (Write|Add)-File (.+) \$(?:true|false) @\((.*)\) \}$`)
	scriptPattern = regexp.MustCompile(
		`^Invoke-Step (.+) \{ Invoke-(?:Script|Agent|BootScript '[0-9]+') '([A-Za-z0-9+/=]*)' \}$`,
	)
	partPattern = regexp.MustCompile(
		`^(?:'([A-Za-z0-9+/=]*)'|\(Get-(?:Fact|Metadata) '([A-Za-z0-9]+)'(?: '[^']*' '[^']*')?\))(?:, |$)`,
	)
	textPattern   = regexp.MustCompile(`^\(ConvertFrom-Base64Text '([A-Za-z0-9+/=]+)'\)$`)
	quotedPattern = regexp.MustCompile(`^'((?:[ -&(-~]|'')*)'$`)
)

// ReadProgram reads the steps of a program back. A step that it cannot read is an error if it begins like one that it
// can.
func ReadProgram(text []byte) (Program, error) {
	p := Program{Text: string(text), Files: map[string][]byte{}}
	for line := range strings.SplitSeq(p.Text, "\n") {
		if !strings.HasPrefix(line, "Invoke-Step '") || strings.HasSuffix(line, "{") ||
			strings.HasPrefix(line, "Invoke-Step 'start'") {
			continue
		}
		if err := p.read(line); err != nil {
			return Program{}, fmt.Errorf("%.200s: %w", line, err)
		}
	}
	return p, nil
}

func (p *Program) read(line string) error {
	if m := writePattern.FindStringSubmatch(line); m != nil {
		path, err := argument(m[3])
		if err != nil {
			return err
		}
		content, err := parts(m[4])
		if m[2] == "Add" {
			content = append(bytes.Clone(p.Files[path]), content...)
		}
		p.Files[path] = content
		return err
	}
	if m := scriptPattern.FindStringSubmatch(line); m != nil {
		script, err := base64.StdEncoding.DecodeString(m[2])
		text, marked := strings.CutPrefix(string(script), "\ufeff")
		if !marked {
			return errors.New("the script has no byte order mark")
		}
		p.Scripts = append(p.Scripts, text)
		return err
	}
	if strings.Contains(line, "Write-File ") || strings.Contains(line, "Add-File ") || strings.Contains(line, "Script '") {
		return errors.New("the step cannot be read")
	}
	return nil
}

// argument returns the value of an argument of PowerShell.
func argument(text string) (string, error) {
	if m := textPattern.FindStringSubmatch(text); m != nil {
		b, err := base64.StdEncoding.DecodeString(m[1])
		return string(b), err
	}
	m := quotedPattern.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%q is no argument", text)
	}
	return strings.ReplaceAll(m[1], "''", "'"), nil
}

func parts(text string) ([]byte, error) {
	content := []byte{}
	for text != "" {
		m := partPattern.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%.80q is no part of a file", text)
		}
		b, err := base64.StdEncoding.DecodeString(m[1])
		if err != nil {
			return nil, err
		}
		if m[2] != "" {
			b = []byte("[" + m[2] + "]")
		}
		content, text = append(content, b...), text[len(m[0]):]
	}
	return content, nil
}

var embeddedPattern = regexp.MustCompile(`@?\(?'([A-Za-z0-9+/]{100,}={0,2})'`)

// Embedded returns the scripts that the program's own first and last steps contain in base64.
func (p Program) Embedded() []string {
	var scripts []string
	for line := range strings.SplitSeq(p.Text, "\n") {
		if !strings.Contains(line, `Write-File "$state`) && !strings.Contains(line, "Complete-Bootstrap '") {
			continue
		}
		for _, m := range embeddedPattern.FindAllStringSubmatch(line, -1) {
			if b, err := base64.StdEncoding.DecodeString(m[1]); err == nil {
				scripts = append(scripts, string(b))
			}
		}
	}
	return scripts
}

// File returns the final content of the file, and whether it is written.
func (p Program) File(path string) ([]byte, bool) {
	content, found := p.Files[path]
	return content, found
}

// Runs reports whether the script is among those that the program runs.
func (p Program) Runs(script string) bool { return slices.Contains(p.Scripts, script) }
