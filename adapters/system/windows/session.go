package windows

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
)

// session runs commands that call the functions of windowscmd. It does nothing without commands.
func (h *Host) session(ctx context.Context, title, commands string) error {
	if commands == "" {
		return nil
	}
	return h.shell(ctx, title, windowscmd.Session(stateAt)+commands+"\n")
}

// properties are what a function of windowscmd printed, by name.
type properties map[string][]string

// ask runs a function that prints properties. Other lines, such as those of modules that load, are ignored.
func (h *Host) ask(ctx context.Context, title, call string) (properties, error) {
	printed, err := h.output(ctx, title, windowscmd.Session(stateAt)+call+"\n")
	if err != nil {
		return nil, err
	}
	p := properties{}
	for line := range strings.Lines(string(printed)) {
		name, encoded, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			continue
		}
		if text, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			p[name] = append(p[name], string(text))
		}
	}
	return p, nil
}

// one returns the only value of a property, or empty.
func (p properties) one(name string) string {
	if len(p[name]) != 1 {
		return ""
	}
	return p[name][0]
}

func (p properties) exist() bool { return p.one("exists") == "True" }

// wanting returns a line for each property that differs.
func (p properties) wanting(what string, wanted ...string) []string {
	var lines []string
	for i := 0; i+1 < len(wanted); i += 2 {
		if name, value := wanted[i], wanted[i+1]; !strings.EqualFold(p.one(name), value) {
			lines = append(lines, fmt.Sprintf("~ %s: %s is %q, want %q", what, name, p.one(name), value))
		}
	}
	return lines
}

// list returns texts as one argument of PowerShell.
func list(texts []string) string {
	quoted := slices.Clone(texts)
	for i, t := range quoted {
		quoted[i] = windowscmd.Quote(t)
	}
	return "@(" + strings.Join(quoted, ", ") + ")"
}
