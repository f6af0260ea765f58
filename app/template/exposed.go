package template

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// The patterns that show where a template writes the configuration. A template may be in any language; these cover the
// usual ones.
var (
	// shared matches a path below a directory that all users can write.
	shared = regexp.MustCompile(`(?m)(?:^|[\s"'=:])(/(?:var/)?tmp|/dev/shm)/[^\s"']*`)
	// permissions matches the permissions of an entry in cloud-init's write_files.
	permissions = regexp.MustCompile(`(?m)^[\s-]*permissions:\s*['"]?(?:0o)?([0-7]{3,5})`)
	// private matches commands with which a script restricts a file to its owner.
	private = regexp.MustCompile(`umask 0?[0-7]77\b|(?:chmod|install|-m|--mode)[ =][^\n]*\b0?[0-7]00\b`)
)

// othersRead are the mode bits that let other users than the owner read a file.
const othersRead = 0o044

// Exposed returns findings if the template writes the configuration, which contains secrets of the cluster, to a file
// that other users can read or replace.
func (t Template) Exposed(text string, at report.Path) report.Report {
	var found report.Report
	if m := shared.FindStringSubmatchIndex(text); m != nil {
		f := report.Warningf(at, "every user of the machine can put a file below %s before the configuration is there",
			text[m[2]:m[3]]).To("use /etc/machineadm/machineadm_config.yaml")
		f.Line, f.Column = strings.Count(text[:m[2]], "\n")+1, 1
		found = append(found, f)
	}
	readable, line := t.readable(text)
	if readable {
		f := report.Warningf(at, "every user of the machine can read the configuration, which holds secrets").
			To("give its file the permissions 0600")
		f.Line, f.Column = line, 1
		found = append(found, f)
	}
	return found
}

// readable reports whether other users can read the file, and returns the line in which the template inserts the
// configuration.
func (t Template) readable(text string) (bool, int) {
	line := strings.Count(text[:max(strings.Index(text, config), 0)], "\n")
	switch {
	case strings.HasPrefix(text, "#!"):
		return !private.MatchString(text), line + 1
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return t.readableJSON(), line + 1
	default:
		return readableEntry(strings.Split(text, "\n"), line), line + 1
	}
}

// readableEntry examines the list entry that contains the line, which it finds by its indentation. An entry without
// permissions has cloud-init's default, 0644.
func readableEntry(lines []string, line int) bool {
	indent := func(i int) int { return len(lines[i]) - len(strings.TrimLeft(lines[i], " ")) }
	begins := func(i int) bool { return strings.HasPrefix(strings.TrimLeft(lines[i], " "), "- ") }
	first := line
	for first > 0 && !(begins(first) && (first == line || indent(first) < indent(line))) {
		first--
	}
	last := first + 1
	for last < len(lines) && (strings.TrimSpace(lines[last]) == "" || indent(last) > indent(first)) {
		last++
	}
	found := permissions.FindStringSubmatch(strings.Join(lines[first:last], "\n"))
	if found == nil {
		return true
	}
	mode, err := strconv.ParseUint(found[1], 8, 32)
	return err == nil && mode&othersRead != 0
}

// mark replaces the configuration during the check of the files of an Ignition configuration.
const mark = "machineadm-configuration"

// readableJSON reports whether other users can read the file of an Ignition configuration that contains mark.
func (t Template) readableJSON() bool {
	text, err := t.Execute([]byte(mark))
	if err != nil {
		return false
	}
	var c struct {
		Storage struct {
			Files []struct {
				Mode     *int            `json:"mode"`
				Contents json.RawMessage `json:"contents"`
			} `json:"files"`
		} `json:"storage"`
	}
	if json.Unmarshal(text, &c) != nil {
		return false
	}
	for _, f := range c.Storage.Files {
		if t.placed(string(f.Contents)) && (f.Mode == nil || *f.Mode&othersRead != 0) {
			return true
		}
	}
	return false
}

// placed reports whether the text contains mark, plain or encoded by one of the template's functions.
func (t Template) placed(text string) bool {
	for _, p := range t.parts {
		if !p.places {
			continue
		}
		only, err := Template{parts: []part{p}}.Execute([]byte(mark))
		if err == nil && strings.Contains(text, string(only)) {
			return true
		}
	}
	return false
}
