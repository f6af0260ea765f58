package main

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/scenarios"
)

// TestAirGappedMachinesStayInside checks that no machine of the scenario uses the Internet: each URL is one of the
// site's, and no registry falls back to its own servers. Bottlerocket has no setting that prevents the latter, so the
// test only checks that the site is first.
func TestAirGappedMachinesStayInside(t *testing.T) {
	for _, v := range scenarios.Variants(t, "air-gapped", formats.Builtin()) {
		t.Run(v.String(), func(t *testing.T) {
			seen := &witness{}
			code, out, errs := runWith(t, seen, v.Manifests, v.Args("render")...)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			if v.Format == delivery.FormatTalos {
				checkTalosInside(t, string(out))
				return
			}
			if v.Format == delivery.FormatBottlerocket {
				checkBottlerocketInside(t, out)
				return
			}
			checkStepsInside(t, seen.plan)
		})
	}
}

// TestAirGapCheckPrintsWholeHosts runs the check of docs/guides/air-gap.md for a machine with hosts outside of the
// site. They contain digits, hyphens and ports.
func TestAirGapCheckPrintsWholeHosts(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/air-gap.md")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("[ntp.site.example]", "[0.pool.ntp.org]", "https://mirror.site.example/",
		"https://203.0.113.7:8443/", "server: https://registry.site.example", "server: https://registry-1.docker.io").
		Replace(string(page))
	t.Chdir(t.TempDir())
	executed := execute(t, strings.Split(changed, "\n"))
	for _, want := range []string{"server 0.pool.ntp.org", "https://203.0.113.7:8443", "https://registry-1.docker.io"} {
		if !slices.Contains(executed, want) {
			t.Errorf("the check does not print %q:\n%s", want, strings.Join(executed, "\n"))
		}
	}
}

// inside reports whether a host belongs to the site.
func inside(host string) bool { return strings.HasSuffix(host, ".example") }

var urlPattern = regexp.MustCompile(`https?://([^/:'"\s]+)`)

// checkStepsInside checks files and commands. containerd falls back to the registry itself, unless hosts.toml has a
// server.
func checkStepsInside(t *testing.T, p plan.Plan) {
	t.Helper()
	var registries []string
	for _, s := range p.Steps {
		text := ""
		if op, ok := s.Do.(action.WriteFile); ok {
			content, _ := op.Content.Static()
			text = string(content)
			if place := strings.ReplaceAll(op.Path, `\`, "/"); path.Base(place) == "hosts.toml" {
				registries = append(registries, path.Base(path.Dir(place)))
				checkServerInside(t, op.Path, content)
			}
		}
		if op, ok := s.Do.(action.RunCommand); ok {
			text = op.Script
		}
		if op, ok := s.Do.(action.FetchFile); ok {
			t.Errorf("a file is fetched: %s", op.Summary())
		}
		for _, found := range urlPattern.FindAllStringSubmatch(text, -1) {
			if !inside(found[1]) {
				t.Errorf("%s: %s is outside of the site", s.Do.Summary(), found[0])
			}
		}
	}
	if slices.Sort(registries); !slices.Equal(registries, []string{"_default", "registry.k8s.io"}) {
		t.Errorf("containerd has servers of the registries %q", registries)
	}
}

func checkServerInside(t *testing.T, place string, content []byte) {
	t.Helper()
	var hosts struct{ Server string }
	if err := toml.Unmarshal(content, &hosts); err != nil {
		t.Fatal(err)
	}
	if found := urlPattern.FindStringSubmatch(hosts.Server); found == nil || !inside(found[1]) {
		t.Errorf("%s: the server is %q, so that containerd asks the registry itself", place, hosts.Server)
	}
}

// checkBottlerocketInside checks that the site's registry is the first for each image.
func checkBottlerocketInside(t *testing.T, data []byte) {
	t.Helper()
	var text struct {
		Settings struct {
			Registries struct {
				Mirrors []struct {
					Registry string
					Endpoint []string
				}
			} `toml:"container-registry"`
		}
	}
	if err := toml.Unmarshal(data, &text); err != nil {
		t.Fatal(err)
	}
	all := false
	for _, m := range text.Settings.Registries.Mirrors {
		all = all || m.Registry == "*"
		for _, endpoint := range m.Endpoint {
			if found := urlPattern.FindStringSubmatch(endpoint); found == nil || !inside(found[1]) {
				t.Errorf("%s has the mirror %s", m.Registry, endpoint)
			}
		}
	}
	if !all {
		t.Error("there is no mirror for all registries")
	}
}

// checkTalosInside checks each host that the documents name.
func checkTalosInside(t *testing.T, text string) {
	t.Helper()
	for _, document := range strings.Split(text, "\n---\n") {
		if outside := hostsOutside(t, document, catchesAll(t, text)); len(outside) > 0 {
			t.Errorf("the document names hosts outside of the site: %q\n%s", outside, document)
		}
		if discovery := regexp.MustCompile(`discovery:\s+enabled: true`).FindString(document); discovery != "" {
			t.Error("the public discovery service is enabled")
		}
	}
}

// registryMirror is a document of Talos.
type registryMirror struct {
	Kind, Name   string
	SkipFallback bool `yaml:"skipFallback"`
}

// mirrorOf returns the document, if it is for a registry and does not fall back to it.
func mirrorOf(t *testing.T, document string) string {
	t.Helper()
	var mirror registryMirror
	if err := yaml.Unmarshal([]byte(document), &mirror); err != nil {
		t.Fatal(err)
	}
	if mirror.Kind != "RegistryMirrorConfig" || !mirror.SkipFallback {
		return ""
	}
	return mirror.Name
}

// catchesAll reports whether the images of all registries come from a mirror only.
func catchesAll(t *testing.T, text string) bool {
	t.Helper()
	return slices.ContainsFunc(strings.Split(text, "\n---\n"), func(document string) bool {
		return mirrorOf(t, document) == "*"
	})
}

var (
	hostInTalos  = regexp.MustCompile(`(?m)(?:[ '"]|//|^)((?:[a-z0-9-]+\.)+[a-z]{2,}|[0-9]+(?:\.[0-9]+){3})(?:[:/]|$)`)
	imageInTalos = regexp.MustCompile(`(?m)^ +image: ([a-z0-9.-]+)/`)
)

// hostsOutside returns the hosts in a document of Talos that are not the site's. With a mirror for all registries,
// those of images are inside.
func hostsOutside(t *testing.T, document string, mirrored bool) []string {
	t.Helper()
	name := mirrorOf(t, document)
	var images []string
	for _, found := range imageInTalos.FindAllStringSubmatch(document, -1) {
		images = append(images, found[1])
	}
	var outside []string
	for _, found := range hostInTalos.FindAllStringSubmatch(document, -1) {
		host := found[1]
		local := inside(host) || strings.HasPrefix(host, "10.") || host == "cluster.local" ||
			strings.HasSuffix(host, ".cluster.x-k8s.io")
		if !local && host != name && !(mirrored && slices.Contains(images, host)) {
			outside = append(outside, host)
		}
	}
	return outside
}
