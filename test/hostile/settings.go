package hostile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/canary"
)

// SettingCases returns inputs that are not files, so that formats without files are tried, too: names and values of
// labels, taints, kernel parameters, kubelet, registries, proxies, certificates and static pods. The rendered settings
// are compared with the documents themselves.
func SettingCases(t osprofile.Target) []Case {
	worker, ca := ordinary(t)
	var all []Case
	for _, group := range [][]Case{
		labelCases(worker), kubeletCases(worker), nameCases(worker), sysctlCases(), timeCases(), trustCases(ca),
		registryCases(), proxyCases(), podCases(),
	} {
		all = append(all, group...)
	}
	for i := range all {
		for j := range all[i].Documents {
			all[i].Documents[j].Source.Path = report.Path("settings").Index(i).Field("documents").Index(j)
		}
	}
	return all
}

// ordinary returns a worker that joins, and the certificate by which it knows its cluster.
func ordinary(t osprofile.Target) (worker node.NodeConfig, ca []byte) {
	for _, v := range portstest.Machine(t) {
		if n, is := v.(node.NodeConfig); is {
			return n, n.Certificates[0].Content.Reveal()
		}
	}
	return node.NodeConfig{}, nil
}

func setting(name, reason string, v document.Value) Case {
	return Case{Name: "setting-" + name, Reason: reason, Documents: []document.Document{doc(v)}}
}

func labelCases(n node.NodeConfig) []Case {
	label := func(name, reason, key, value string) Case {
		labelled := n
		labelled.Registration.Labels = []node.Label{{Key: key, Value: document.Text(value)}}
		labelled.Registration.Taints = []node.Taint{{Key: key, Value: value, Effect: "NoExecute"}}
		return setting("label-"+name, reason, labelled)
	}
	return []Case{
		label("yes", "booleans to YAML 1.1", "yes", "no"),
		label("on", "a key that is a boolean", "on", "off"),
		label("true", "booleans", "true", "false"),
		label("null", "null", "null", "null"),
		label("empty", "no value is a value", "a", ""),
		label("number", "a number", "1", "1"),
		label("octal", "a number with a leading zero", "a", "012"),
		label("hexadecimal", "a number", "a", "0x1F"),
		label("float", "a number", "a", "1e3"),
		label("infinity", "a number to TOML", "inf", "nan"),
		label("underscore", "a number with underscores", "a", "1_000"),
		label("date", "a date to TOML and YAML", "2026-11-21", "2026-11-21"),
		label("dots", "tables to TOML", "a.b-c.example/d.e_f", "1.2.3"),
		label("case", "cases matter", "example.com/A", "aB"),
		label("long", "as long as it may be", repeat("a.", 126)+"a/"+repeat("b", 63), repeat("c", 63)),
		refused("label-blank", "a blank", labelledBy(n, "a b", "c")),
		refused("label-newline", "a second label", labelledBy(n, "a", "b\nc")),
		refused("label-quote", "ends a string", labelledBy(n, "a", `b"c`)),
		refused("label-comma", "a second label to kubelet", labelledBy(n, "a", "b,c=d")),
	}
}

func labelledBy(n node.NodeConfig, key, value string) node.NodeConfig {
	n.Registration.Labels = []node.Label{{Key: key, Value: document.Text(value)}}
	return n
}

// kubeletCases use fields and arguments that every format has words for.
func kubeletCases(n node.NodeConfig) []Case {
	config := func(name, reason string, tree node.Tree) Case {
		configured := n
		configured.Kubelet.Config = tree
		return setting("kubelet-"+name, reason, configured)
	}
	argument := func(name, reason, text string) Case {
		configured := n
		configured.Kubelet.Args = []node.Arg{{Name: "provider-id", Value: document.Text(text)}}
		return setting("kubelet-argument-"+name, reason, configured)
	}
	return []Case{
		config("whole", "a float of JSON that is a whole number", node.Tree{"maxPods": float64(250)}),
		config("negative", "a sign", node.Tree{"podPidsLimit": float64(-1)}),
		config("large", "beyond 32 bits", node.Tree{"podPidsLimit": float64(1 << 40)}),
		config("false", "a boolean that is not the default", node.Tree{"seccompDefault": false}),
		config("quantity", "a key with a dot, a value with a sign",
			node.Tree{"evictionHard": map[string]any{"memory.available": "5%", "nodefs.available": "1Gi"}}),
		config("word", "a string that looks like a number",
			node.Tree{"systemReserved": map[string]any{"cpu": "1", "memory": "1e3"}}),
		config("star", "a pattern", node.Tree{"allowedUnsafeSysctls": []any{"net.ipv4.*", "kernel.msg*"}}),
		argument("address", "colons and slashes", "aws:///eu-west-1a/i-0123456789abcdef0"),
		argument("quote", "ends a string", `a"b'c`),
		argument("blank", "two words", "a b"),
		argument("dollar", "a variable", "$(HOME) ${HOME} $$"),
		argument("percent", "a specifier of systemd", "100%n"),
		argument("backslash", "an escape", `a\nb`),
		argument("newline", "a second line", "a\nb"),
		argument("hash", "a comment", "a #b"),
		argument("jinja", "a template", "{{ x }}"),
		argument("unicode", "beyond ASCII", "Grüße-日本"),
	}
}

func nameCases(n node.NodeConfig) []Case {
	name := func(name, reason, text string) Case {
		named := n
		named.Registration.Name = document.Text(text)
		return setting("name-"+name, reason, named)
	}
	host := func(name, reason, text string) Case {
		return setting("host-"+name, reason, machine.HostConfig{Hostname: text})
	}
	return []Case{
		name("yes", "a boolean", "yes"), name("null", "null", "null"), name("number", "a number with a fraction", "1.2"),
		name("date", "a date", "2026-11-21"), name("dots", "a domain", "a.b.example"), name("dashes", "dashes", "a--b"),
		host("yes", "a boolean", "yes"), host("null", "null", "null"), host("hexadecimal", "a number", "0x1f"),
		host("float", "a number", "1e3"), host("upper", "cases", "Node-A"), host("long", "63 characters", repeat("a", 63)),
	}
}

func sysctlCases() []Case {
	sysctl := func(name, reason, key, value string) Case {
		return setting("sysctl-"+name, reason, machine.SysctlConfig{Settings: []machine.Sysctl{{Name: key, Value: value}}})
	}
	value := func(name, reason, value string) Case { return sysctl(name, reason, "kernel.hostile", value) }
	return []Case{
		sysctl("slashes", "dots are part of a name then", "net/ipv4/conf/eth0.1/rp_filter", "1"),
		sysctl("slash-inside", "a slash for a dot", "net.ipv4.conf.eth0/1.rp_filter", "1"),
		sysctl("dash", "may fail", "-kernel.hostile", "1"),
		sysctl("star", "a pattern", "net.ipv4.conf.*.rp_filter", "1"),
		value("yes", "a boolean", "yes"), value("octal", "a number with a leading zero", "012"),
		value("float", "a number", "1e3"),
		value("null", "null", "null"), value("tabs", "three numbers", "4096\t87380\t6291456"),
		refused("sysctl-blanks", "readers drop blanks at its ends",
			machine.SysctlConfig{Settings: []machine.Sysctl{{Name: "kernel.hostile", Value: " 1 "}}}),
		value("double-quote", "ends a string", `|/bin/x "%e"`), value("single-quote", "ends a string", "it's"),
		value("backslash", "an escape", `a\nb`), value("percent", "core_pattern has them", "|/bin/x %P %u %g %s %t %c %h"),
		value("dollar", "a variable", "$HOME `id`"), value("jinja", "a template", "{{ x }}{% y %}"),
		value("hash", "a comment", "1 # 2"),
		value("semicolon", "a comment to some readers", "1 ; 2"), value("equals", "a second assignment", "a=b=c"),
		value("unicode", "beyond ASCII", "Grüße"), value("bidi", "a direction mark", "a\u202eb"),
		value("bell", "a control character", "a\ab"),
		value("nel", "a line break to YAML 1.1", "a\u0085b"), value("html", "markup", "<&>"),
	}
}

func timeCases() []Case {
	servers := func(name, reason string, names ...string) Case {
		return setting("time-"+name, reason, machine.TimeSyncConfig{Servers: names})
	}
	return []Case{
		servers("address", "colons", "fd00::123", "192.0.2.1"), servers("dot", "a name that is whole", "time.example."),
		servers("underscore", "an underscore", "a_b.example"), servers("yes", "booleans", "yes", "no"),
		servers("number", "a number", "123"),
		servers("same", "the same twice", "a.example", "a.example"), servers("order", "not sorted", "z.example", "a.example"),
	}
}

func trustCases(ca []byte) []Case {
	trust := func(name, reason, file string, bundle []byte) Case {
		return setting("trust-"+name, reason, machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: file, PEM: bundle}}})
	}
	return []Case{
		trust("crlf", "lines of Windows", "a", bytes.ReplaceAll(ca, []byte("\n"), []byte("\r\n"))),
		trust("no-newline", "no final line break", "a", bytes.TrimSpace(ca)),
		trust("two", "a bundle", "a", slices.Concat(ca, ca)),
		trust("blank-lines", "blank lines around", "a", slices.Concat([]byte("\n\n"), ca, []byte("\n\n"))),
		trust("yes", "a boolean", "yes", ca), trust("number", "a number", "012", ca),
		trust("dots", "a table to TOML", "a.b", ca),
		trust("dashes", "dashes", "a--b", ca), trust("underscore", "an underscore", "a_b", ca), trust("long", "76 characters",
			repeat("a", 76), ca),
	}
}

func registryCases() []Case {
	registry := func(name, reason string, r machine.Registry) Case {
		return setting("registry-"+name, reason, machine.ContainerdConfig{Registries: []machine.Registry{r}})
	}
	mirror := func(name, reason, host, url string) Case {
		return registry(name, reason, machine.Registry{
			Host:    host,
			Mirrors: []machine.RegistryEndpoint{{URL: url, OverridePath: strings.Contains(url, "/v2")}},
		})
	}
	password := func(name, reason, text string) Case {
		auth := &machine.RegistryAuth{Username: "u" + text, Password: secret.FromString(canary.Mark + text)}
		return registry("password-"+name, reason, machine.Registry{Host: "a.example", Auth: auth})
	}
	return []Case{
		mirror("port", "a colon", "a.example:5000", "http://mirror.example:5000"),
		mirror("yes", "a boolean", "yes", "https://no"),
		mirror("default", "all registries", "_default", "https://mirror.example/v2/proxy"),
		mirror("number", "a number", "1e3", "http://1"),
		mirror("percent", "an escape", "a.example", "https://mirror.example/v2/a%2Fb"),
		mirror("address", "brackets", "a.example", "http://[fd00::1]:5000"),
		mirror("query", "what templates escape", "a.example", "https://mirror.example/v2?a=b&c=d"),
		mirror("quote", "ends a string", "a.example", `https://mirror.example/v2/a'b`),
		password("quote", "ends a string", `it's "so"`), password("backslash", "an escape", `\n\\`),
		password("dollar", "a variable", "$x${y}"),
		password("braces", "a template", "{{ x }}"), password("hash", "a comment", " #"),
		password("unicode", "beyond ASCII", "ß日"),
		password("markup", "markup", "<&>"), password("newline", "a second line", "\n"),
		password("control", "a control character", "\x01"),
	}
}

func proxyCases() []Case {
	proxy := func(name, reason, url string, direct ...string) Case {
		return setting("proxy-"+name, reason, machine.ProxyConfig{HTTPSProxy: secret.FromString(url), NoProxy: direct})
	}
	return []Case{
		proxy("password", "an escape", "http://u:"+canary.Mark+"%40%23@proxy.example:3128"),
		proxy("dollar", "a variable", "http://u:"+canary.Mark+"$x@proxy.example:3128"),
		proxy("quote", "ends a string", "http://u:"+canary.Mark+"'@proxy.example:3128"),
		proxy("address", "brackets", "http://[fd00::1]:3128"),
		proxy("direct", "networks, domains and stars", "http://proxy.example:3128", "10.0.0.0/8", ".example", "*.example",
			"fd00::/8", "a:443"),
		proxy("direct-quote", "ends a string", "http://proxy.example:3128", `a"b`),
		proxy("direct-comma", "two of them", "http://proxy.example:3128", "a,b"),
	}
}

// podCases are manifests of pods that no encoder of YAML would write like this.
func podCases() []Case {
	const head = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {a: "
	const tail = "}}\nspec: {containers: [{name: c, image: i}]}"
	pod := func(name, reason, manifest string) Case {
		return setting("pod-"+name, reason, node.StaticPod{Name: "hostile-" + name, Manifest: []byte(manifest)})
	}
	annotated := func(name, reason, value string) Case { return pod(name, reason, head+value+tail+"\n") }
	return []Case{
		pod("no-newline", "no final line break", head+"b"+tail),
		pod("crlf", "lines of Windows", strings.ReplaceAll(head+"b"+tail+"\n", "\n", "\r\n")),
		pod("blank-lines", "blank lines around", "\n\n"+head+"b"+tail+"\n\n\n"),
		pod("comment", "comments, blanks at a line's end", "# {{ x }} %n $x  \n"+head+"b"+tail+" # c\n"),
		pod("marker", "a document's mark", "---\n"+head+"b"+tail+"\n"),
		pod("json", "JSON is YAML",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`),
		annotated("yes", "a string that YAML 1.1 takes for a boolean", `"yes"`),
		annotated("octal", "a string that YAML takes for a number", `"0123"`),
		annotated("jinja", "a template", `"{{ x }}{% y %}"`), annotated("dollar", "a variable", `"$(HOME) $$ ${x}"`),
		annotated("escape", "an escape for a line break", `"a\nb\\"`),
		annotated("unicode", "beyond ASCII", `"Grüße 🚀"`),
		annotated("quote", "quotes", `'it''s "so"'`),
	}
}
