package meaning

import (
	"regexp"
	"strings"
)

// expression matches an expression of Jinja that is the value of a key of the instance data.
var expression = regexp.MustCompile(
	`\{\{-?\s*([A-Za-z0-9_.]*(?:\[["'][^\]]*["']\])*[A-Za-z0-9_.]*(?:\.split\("\."\)\[0\])?)\s*-?\}\}`)

// subscript matches the subscript of a key.
var subscript = regexp.MustCompile(`\[["']([^\]]*)["']\]`)

// ResolveJinja replaces the expressions of a text by the values of the machine. An expression of another form remains,
// so that it differs from every value.
func ResolveJinja(text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		path := expression.FindStringSubmatch(found)[1]
		return Instance(subscript.ReplaceAllString(path, ".$1"))
	})
}

// Fact returns the value of a fact of this project, which is the same as that of the path with its meaning.
func Fact(name string) string {
	if path, found := strings.CutPrefix(name, "metadata."); found {
		return Instance("ds.meta_data." + path)
	}
	return "<" + name + ">"
}

// Instance returns the value of a path of cloud-init's instance data on the machine of the comparison. A path that is
// not known has a value of its own.
func Instance(path string) string {
	path = strings.ToLower(strings.ReplaceAll(path, "-", "_"))
	values := map[string]string{
		"ds.meta_data.hostname":                     "<hostname>",
		"ds.meta_data.local_hostname":               "<hostname>",
		"local_hostname":                            "<hostname>",
		"v1.local_hostname":                         "<hostname>",
		`ds.meta_data.local_hostname.split(".")[0]`: "<shortHostname>",
		"ds.meta_data.instance_id":                  "<instanceID>",
		"instance_id":                               "<instanceID>",
		"v1.instance_id":                            "<instanceID>",
		"ds.meta_data.local_ipv4":                   "<privateIPv4>",
		"ds.meta_data.private_ipv4":                 "<privateIPv4>",
		"ds.meta_data.public_ipv4":                  "<publicIPv4>",
		"v1.region":                                 "<region>",
		"region":                                    "<region>",
		"v1.availability_zone":                      "<zone>",
		"availability_zone":                         "<zone>",
	}
	if value, known := values[path]; known {
		return value
	}
	return "<" + path + ">"
}
