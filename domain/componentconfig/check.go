// Package componentconfig checks the configuration of kubelet and kube-proxy with the fields and types of each version
// of Kubernetes.
package componentconfig

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// Newest is the newest minor version of Kubernetes 1 whose fields the tables contain.
const Newest = 37

// maxFindings is the maximum number of warnings, and of errors, about one configuration. The time for the search for
// similar names and the memory of findings are therefore limited.
const maxFindings = 20

// directive begins the names of directives of strategic merge patches, such as $patch.
const directive = "$"

// simpleName matches names that a path contains without quotes.
var simpleName = pattern.Of(63, `^[A-Za-z0-9_-]+$`)

// The tables are parsed when they are first used.
//
//nolint:gochecknoglobals // they never vary
var (
	kubeletFields   = sync.OnceValue(func() *field { return parse(kubelet) })
	kubeProxyFields = sync.OnceValue(func() *field { return parse(kubeProxy) })
)

// Kubelet returns findings for fields of a KubeletConfiguration that the minor version does not have, and for values
// that it does not accept. The minor version is 0 if it is not known; then the fields of all versions are accepted.
func Kubelet(p report.Path, config map[string]any, minor int) report.Report {
	return check(p, config, minor, "kubelet", kubeletFields)
}

// KubeProxy is Kubelet for a KubeProxyConfiguration.
func KubeProxy(p report.Path, config map[string]any, minor int) report.Report {
	return check(p, config, minor, "kube-proxy", kubeProxyFields)
}

func check(p report.Path, config map[string]any, minor int, component string,
	fields func() *field,
) report.Report {
	if len(config) == 0 {
		return nil
	}
	c := checker{component: component, minor: minor}
	c.object(p, fields(), config)
	return append(c.errors, c.warnings...)
}

// checker collects findings. A value that the component cannot decode is an error, because it does not start. An
// unknown field is a warning, because kubelet and kube-proxy then decode their configuration without it.
type checker struct {
	component        string
	minor            int
	errors, warnings report.Report
}

// value checks a value. Null has no effect, or removes a field of the cluster's configuration.
func (c *checker) value(p report.Path, f *field, value any) {
	if value == nil || len(c.errors) >= maxFindings {
		return
	}
	list, isList := value.([]any)
	object, isObject := value.(map[string]any)
	switch {
	case f.element != nil && f.isList && isList:
		for i, v := range list {
			c.value(p.Index(i), f.element, v)
		}
	case f.element != nil && !f.isList && isObject:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			c.value(p.Key(key), f.element, object[key])
		}
	case f.fields != nil && isObject:
		c.object(p, f, object)
	default:
		c.scalar(p, f, value)
	}
}

func (c *checker) object(p report.Path, f *field, object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := p.Key(name)
		if simpleName.MatchString(name) {
			at = p.Field(name)
		}
		known, exists := f.fields[name]
		switch {
		case strings.HasPrefix(name, directive):
		case !exists:
			c.unknown(at, f, name)
		case c.minor != 0 && c.minor < known.since:
			c.warn(report.Warningf(at, "%s of Kubernetes %s does not have this field, so that it has no effect", c.component,
				version(c.minor)).To("remove it, or use Kubernetes %s or newer", version(known.since)))
		default:
			c.value(at, known, object[name])
		}
	}
}

// unknown warns about a field that no version has. A version that is newer than the tables may have it.
func (c *checker) unknown(p report.Path, f *field, name string) {
	if c.minor > Newest || len(c.warnings) >= maxFindings {
		return
	}
	names := slices.Sorted(maps.Keys(f.fields))
	c.warn(report.Warningf(p, "%s does not have this field, so that it has no effect", c.component).To("%s",
		report.DidYouMean(name, names, "remove it, or use a field of this configuration, such as "+names[0])))
}

func (c *checker) warn(f report.Finding) {
	if len(c.warnings) < maxFindings {
		c.warnings = append(c.warnings, f)
	}
}

func version(minor int) string { return "1." + strconv.Itoa(minor) }
