package infrastructure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/test/golden"
)

// temporaryDisks writes the table of cloud-init's names of disks.
func temporaryDisks(b *strings.Builder) {
	b.WriteString(`
## Temporary disks

Disks, file systems, mounts and swap accept cloud-init's names of temporary disks, such as ` +
		"`ephemeral0.1`" + ` for the
first partition. Other clouds report these names to the machine only. A machine size without such a disk fails the
bootstrap.

cloud-init itself sets up the temporary disk of Azure: it creates one partition with ext4 and mounts it on /mnt, except
where the partition is already mounted or used as swap. machineadm does both earlier. A warning reports other content
that cloud-init would replace, with a snippet that stops it.

| name | platform | kinds | device with cloud-init | device on other systems |
|---|---|---|---|---|
`)
	for _, a := range infrastructure.DeviceAliases() {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", a.Name, a.Platform, strings.Join(a.Kinds, ", "), a.CloudInit, a.Other)
	}
	b.WriteString("\nSources:\n\n")
	for _, a := range infrastructure.DeviceAliases() {
		for _, s := range a.Sources {
			fmt.Fprintf(b, "- %s\n", s)
		}
	}
}

// TestPage generates the page from the table.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Infrastructure

This page lists how infrastructure providers handle bootstrap data. A test generates it from the table in
` + "`domain/infrastructure`" + `; [delivery.md](delivery.md) ` +
		`describes the consequences. A kind that is not listed gets an info, the key
that most providers read, and the limit of a Secret.

The first columns show what the provider does with the data for each value of the data Secret's key ` + "`format`" + `:

- "passed on": the data becomes the machine's userdata.
- "to Ignition": the data is written to the place where Ignition reads it.
- "dropped": the machine gets no userdata, and no error is reported.
- "refused": the provider's object reports an error.

"Limit" is in bytes. "gzip" shows whether the provider can deliver a payload that is compressed as a whole. ` +
		`"not read" ` +
		`means
that the provider itself parses the payload and does not decompress it.

"cloud-config" shows the dialect in which machineadm renders cloud-init for the kind:

- "whole": all keys that cloud-init has.
- "appendable": ` + "`runcmd`" + ` is first, and lists are indented, so that a provider can insert commands.
  Kinds that are not listed get this dialect, too.
- "minimal": only ` + "`write_files`" + ` and ` + "`runcmd`" + `, with files and commands that every parser reads.
  The bootstrap program creates disks, users and all other files.

| kinds | no ` + "`format`" + ` | ` + "`cloud-config`" + ` | ` +
		"`ignition`" + ` | another value | limit | gzip | formats | cloud-config |
|---|---|---|---|---|---|---|---|---|
`)
	for _, p := range infrastructure.All() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", strings.Join(p.Kinds, ", "),
			reading(p.Keys.Absent), reading(p.Keys.CloudConfig), reading(p.Keys.Ignition), reading(p.Keys.Other), limits(p),
			carriage(p), only(p), dialect(p))
	}
	temporaryDisks(&b)
	b.WriteString("\n## Sources and notes\n")
	for _, p := range infrastructure.All() {
		fmt.Fprintf(&b, "\n### %s\n\n", strings.Join(p.Kinds, ", "))
		for _, s := range p.Sources {
			fmt.Fprintf(&b, "- %s\n", s)
		}
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "- %s (%s): %s%s\n", names(n.Formats), n.Severity, n.Message, then(n.Remedy))
		}
		fmt.Fprint(&b, facts(p))
		for _, l := range p.Limits {
			if l.Unless != "" {
				fmt.Fprintf(&b, "- %s: a payload over the limit is a warning, because the limit does not apply if %s\n",
					names(l.Formats), l.Unless)
			}
		}
	}
	golden.File(t, "../../docs/infrastructure.md", []byte(b.String()))
}

// facts lists what the provider does with the text of userdata.
func facts(p infrastructure.Provider) string {
	var b strings.Builder
	for _, r := range p.Remarks {
		fmt.Fprintf(&b, "- %s\n", r)
	}
	for _, pattern := range p.Placeholders {
		fmt.Fprintf(&b, "- replaces text that matches `%s`, which machineadm keeps unchanged in userdata\n", pattern)
	}
	if p.Template != "" {
		fmt.Fprintf(&b, "- executes text after `%s` as a template; other text after it is an error\n", p.Template)
	}
	if keys := p.CloudConfig.Kept; len(keys) > 0 {
		fmt.Fprintf(&b, "- passes only the keys `%s` of snippets on\n", strings.Join(keys, "`, `"))
	}
	if keys := p.CloudConfig.Lost; len(keys) > 0 {
		fmt.Fprintf(&b, "- does not pass the keys `%s` of snippets on\n", strings.Join(keys, "`, `"))
	}
	if p.CloudConfig.WithoutCloudInit {
		b.WriteString("- machines may lack cloud-init, so that facts of a metadata service are refused\n")
	}
	if len(p.FactsOfCloudInit) > 0 {
		fmt.Fprintf(&b, "- systems without cloud-init do not know the facts %s, which are errors for them\n",
			strings.Trim(fmt.Sprint(p.FactsOfCloudInit), "[]"))
	}
	if c := p.CloudConfig; c.InitFile != "" {
		fmt.Fprintf(&b, "- waits for the file `%s` or `%s`, which machineadm adds\n", c.InitFile, c.JoinFile)
	}
	return b.String()
}

func dialect(p infrastructure.Provider) string {
	switch {
	case !p.Delivers(delivery.FormatCloudInit):
		return ""
	case p.CloudConfig.Minimal:
		return "minimal"
	case p.CloudConfig.Appendable:
		return "appendable"
	}
	return "whole"
}

func reading(r infrastructure.Handling) string {
	return map[infrastructure.Handling]string{
		infrastructure.HandlingUserdata: "passed on", infrastructure.HandlingIgnition: "to Ignition",
		infrastructure.HandlingIgnored: "**dropped**",
		infrastructure.HandlingError:   "refused",
	}[r]
}

func names(formats []delivery.Format) string {
	words := make([]string, len(formats))
	for i, f := range formats {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

func then(remedy string) string {
	if remedy == "" {
		return ""
	}
	return "; " + remedy
}

func limits(p infrastructure.Provider) string {
	var words []string
	for _, l := range p.Limits {
		word := fmt.Sprint(l.Bytes)
		switch {
		case l.Gzip && l.Base64:
			word += " of base64, compressed by the provider"
		case l.Base64:
			word += " of base64"
		}
		if len(l.Formats) > 0 && len(p.Limits) > 1 {
			word += " (" + names(l.Formats) + ")"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return "limit of a Secret"
	}
	return strings.Join(words, "; ")
}

func carriage(p infrastructure.Provider) string {
	switch {
	case p.Data == infrastructure.DataBinary:
		return "delivered"
	case p.Data == infrastructure.DataText && len(p.Base64) > 0:
		return "in base64 (" + names(p.Base64) + ")"
	case p.Data == infrastructure.DataText:
		return "not delivered"
	case p.Data == infrastructure.DataParsed:
		return "not read"
	default:
		return "unknown"
	}
}

func only(p infrastructure.Provider) string {
	if p.Keys.Absent == infrastructure.HandlingIgnored && p.Keys.CloudConfig == infrastructure.HandlingIgnored {
		return "none"
	}
	if len(p.Formats) == 0 {
		return "all"
	}
	return names(p.Formats)
}
