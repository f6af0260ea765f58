package worstcase_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// companion is what a rule about several fields asks for beside a field: without it the object is refused before it is
// rendered.
type companion struct {
	// place is the path of the object, and field the one that leads to the site; it is empty for the items of a list.
	place, field *regexp.Regexp
	add          map[string]any
}

func text(content string) map[string]any { return map[string]any{"content": content} }

func secretOf(name string) map[string]any {
	return map[string]any{"secret": map[string]any{"name": name, "key": "key"}}
}

// The names of Secrets that companions refer to. What is in them does not depend on the site.
const (
	shortSecret = "short"
	keySecret   = "private-key"
)

// companions returns the rules. Their patterns are compiled once.
var companions = sync.OnceValue(func() []companion {
	digest := strings.Repeat("0", 64)
	is := func(place, field string, add map[string]any) companion {
		return companion{place: regexp.MustCompile(place + "$"), field: regexp.MustCompile("^(" + field + ")$"), add: add}
	}
	return []companion{
		is(`\.auth`, "password", map[string]any{"username": "u"}),
		is(`\.auth`, "username", map[string]any{"password": secretOf(shortSecret)}),
		is(`\.tls`, "certificate", map[string]any{"key": secretOf(keySecret)}),
		is(`\.tls`, "key", map[string]any{"certificate": text(certificate())}),
		is(`\.audit`, "logPath", map[string]any{"policy": text(prefix(".audit.policy.content"))}),
		is(`\.staticPods`, "name|", map[string]any{"content": prefix(".staticPods.content")}),
		is(`\.trustedCAs`, "name|", map[string]any{"content": certificate()}),
		is(`delivery\.parts`, "name|", map[string]any{"text": prefix(".parts.text")}),
		is(`\.patches`, "", map[string]any{"content": prefix(".patches.content")}),
		is(`\.artifacts`, "name|sha256|sha512", map[string]any{"url": "https://h.example/a"}),
		is(`\.artifacts`, "name|url|", map[string]any{"sha256": digest}),
		is(`\.swap`, "", map[string]any{"path": "/var/swap", "sizeMiB": int64(1)}),
		is(`\.swap`, "path", map[string]any{"sizeMiB": int64(1)}),
		is(`\.disks\.partitions`, ".*", map[string]any{"sizeMiB": int64(1)}),
		is(`\.fetch`, "url|version", map[string]any{"sha256": digest}),
		is(`\.fetch`, "sha256|sha512|version", map[string]any{"url": "https://h.example/a"}),
		is(`\.kubernetes`, "packages", map[string]any{"provision": "Package"}),
		is(`\.reporting`, "certificateAuthorities", map[string]any{"url": "https://h.example"}),
		is(`\.kubernetes`, "artifacts", map[string]any{"provision": "Download"}),
	}
})

// complete adds what rules ask for to an object whose field holds the site.
func (g *generator) complete(object map[string]any, name, field string) {
	for _, c := range companions() {
		if !c.place.MatchString(name) || !c.field.MatchString(field) {
			continue
		}
		for key, value := range c.add {
			if key != field {
				object[key] = value
			}
		}
	}
}

// completeSpec adds what rules about groups ask for, and what every machine has.
func completeSpec(s site, spec map[string]any) {
	if s.kind != "MachineBootstrapConfig" {
		return
	}
	os, _ := spec["os"].(map[string]any)
	if len(s.path) == 0 || s.path[0] != "os" || s.path[1] != "distribution" {
		os["distribution"] = s.distribution()
	}
	delivery, _ := spec["delivery"].(map[string]any)
	if delivery == nil && spec["templateRef"] != nil {
		delivery = map[string]any{}
		spec["delivery"] = delivery
	}
	for _, needsAgent := range []any{delivery["agent"], delivery["plugins"], delivery["encryption"], spec["templateRef"]} {
		if delivery != nil && needsAgent != nil {
			delivery["mode"] = "Agent"
		}
	}
	if agent, ok := delivery["agent"].(map[string]any); ok && agent["fetch"] != nil {
		agent["source"] = "Fetch"
	}
	if n, ok := spec["node"].(map[string]any); ok && n["advertiseAddress"] != nil {
		spec["controlPlane"] = map[string]any{}
	}
	if m, ok := spec["machine"].(map[string]any); ok {
		completeDomainJoin(m)
	}
}

// windowsPattern matches the places whose values only Windows accepts.
var windowsPattern = regexp.MustCompile(
	`machine\.(domainJoin|host\.(hostname|keyboard|locale|uiLanguage))|users\[\]\.passwordFrom`)

// distribution returns the operating system that takes the place: names of machines and domains are for Windows.
func (s site) distribution() string {
	if windowsPattern.MatchString(s.field()) {
		return "windows-server-2022"
	}
	return "ubuntu"
}

func completeDomainJoin(machine map[string]any) {
	join, ok := machine["domainJoin"].(map[string]any)
	if !ok || join["provisioningDataFrom"] != nil {
		return
	}
	for key, value := range map[string]any{
		"domain": "a.example", "username": "u", "passwordFrom": secretOf(shortSecret),
	} {
		if join[key] == nil {
			join[key] = value
		}
	}
}

// TestCompanionsMatch holds that no rule is about a place that the API does not have any more.
func TestCompanionsMatch(t *testing.T) {
	for _, c := range companions() {
		found := false
		for _, s := range sites(t) {
			for i, step := range s.path {
				parent := strings.Map(noBrackets, "."+strings.Join(s.path[:i], "."))
				parent = strings.TrimRight(strings.ReplaceAll(parent, "..", "."), ".")
				if c.field.String() == "^()$" || c.field.MatchString(step) {
					found = found || c.place.MatchString(parent)
				}
			}
		}
		if !found {
			t.Errorf("nothing is beside %s in %s", c.field, c.place)
		}
	}
}

func noBrackets(r rune) rune {
	if strings.ContainsRune("[]{}", r) {
		return -1
	}
	return r
}
