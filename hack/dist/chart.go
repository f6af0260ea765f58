package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// writeChart writes a Helm chart with the components as templates.
func (r release) writeChart(p provider, components string) error {
	number := strings.TrimPrefix(r.version, "v")
	template, values, err := chartTemplate(p, components)
	if err != nil {
		return fmt.Errorf("%s: %w", p.components, err)
	}
	texts, err := encode(map[string]string{
		"apiVersion": "v2", "type": "application", "name": p.chart, "description": p.description,
		"version": number, "appVersion": r.version, "home": "https://github.com/machineadm/machineadm",
	}, values)
	if err != nil {
		return err
	}
	archive, err := r.archive([]archived{
		{p.chart + "/Chart.yaml", texts[0]},
		{p.chart + "/values.yaml", texts[1]},
		{p.chart + "/templates/components.yaml", []byte(template)},
	})
	if err != nil {
		return err
	}
	return r.file(archive, "charts", p.chart+"-"+number+".tgz")
}

// scalarPattern matches a line with a plain scalar, as kustomize writes it: the text before it, and the scalar.
var scalarPattern = regexp.MustCompile(`^( *(?:- |[a-zA-Z]+: ))([^"' |>].*)$`)

// chartTemplate returns the components as a template of Helm, and the defaults of its values: the image, and one value
// for each variable of clusterctl.
func chartTemplate(p provider, components string) (string, map[string]string, error) {
	values := map[string]string{}
	objects := strings.Split(components, "\n---\n")
	for i, object := range objects {
		lines := strings.Split(object, "\n")
		for n := range lines {
			var err error
			if lines[n], err = templateLine(p, lines[n], values); err != nil {
				return "", nil, err
			}
		}
		if slices.Contains(lines, "kind: CustomResourceDefinition") {
			at := slices.Index(lines, "  annotations:")
			if at < 0 {
				return "", nil, errors.New("a CRD has no annotations")
			}
			// Helm keeps the CRDs of a chart that it uninstalls: otherwise all objects of users would be deleted.
			lines = slices.Insert(lines, at+1, "    helm.sh/resource-policy: keep")
		}
		objects[i] = strings.Join(lines, "\n")
	}
	if values["image"] == "" {
		return "", nil, errors.New("there is no image")
	}
	return strings.Join(objects, "\n---\n"), values, nil
}

// templateLine returns a line of the components as a line of the template, and adds the default of its value.
func templateLine(p provider, line string, values map[string]string) (string, error) {
	scalar := scalarPattern.FindStringSubmatch(line)
	switch {
	case scalar != nil && strings.TrimSpace(scalar[1]) == "image:":
		if values["image"] != "" {
			return "", errors.New("there are several images")
		}
		values["image"] = scalar[2]
		return scalar[1] + "{{ .Values.image | quote }}", nil
	case !strings.Contains(line, "${"):
		return quoteDelimiters(line), nil
	case scalar == nil:
		return "", fmt.Errorf("a variable is not in a plain scalar: %s", line)
	}
	text, err := expression(p, scalar[2], values)
	return scalar[1] + text, err
}

// quoteDelimiters makes Helm print the delimiters of its templates.
func quoteDelimiters(line string) string {
	return strings.NewReplacer("{{", `{{ "{{" }}`, "}}", `{{ "}}" }}`).Replace(line)
}

// expression returns the expression that prints a scalar with one variable, and adds the default of its value. The
// function join of Helm joins the items of a list, and prints any other value.
func expression(p provider, scalar string, values map[string]string) (string, error) {
	m := variablePattern.FindStringSubmatchIndex(scalar)
	if m == nil {
		return "", fmt.Errorf("a variable has no default: %s", scalar)
	}
	before, after := scalar[:m[0]], scalar[m[1]:]
	if strings.ContainsAny(before+after, "%${") {
		return "", fmt.Errorf("more than one variable: %s", scalar)
	}
	name := valueName(p, scalar[m[2]:m[3]])
	values[name] = scalar[m[4]:m[5]]
	return fmt.Sprintf("{{ printf %s (join \",\" .Values.%s) | quote }}", strconv.Quote(before+"%s"+after), name), nil
}

// valueName returns diagnosticsAddress for MACHINEADM_HOSTS_DIAGNOSTICS_ADDRESS.
func valueName(p provider, variable string) string {
	words := strings.Split(strings.TrimPrefix(strings.TrimPrefix(variable, p.prefix), "MACHINEADM_"), "_")
	for i, word := range words {
		words[i] = strings.ToLower(word)
		if i > 0 {
			words[i] = word[:1] + strings.ToLower(word[1:])
		}
	}
	return strings.Join(words, "")
}

// archived is a file of an archive.
type archived struct {
	name    string
	content []byte
}

// archive returns the files as a compressed tar archive.
func (r release) archive(files []archived) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, f := range files {
		header := &tar.Header{
			Name: f.name, Mode: 0o644, Size: int64(len(f.content)), ModTime: r.created, Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(t.Close(), z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
