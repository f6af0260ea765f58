package hostile

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
)

// userPassword is a crypt(3) hash with every character that one may have.
const userPassword = "$6$rounds=5000$abc./ABC$" + canary.Mark +
	"GHIJKLMNOPQRSTUVWXYZ./abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNO"

// user is a case of one user whose home directory proves the name and whose comment must be in the password file.
func user(name, reason string, u machine.User) Case {
	owned := machine.File{
		Path: Dir + "/user/" + u.Name, Content: document.Text(u.Name), Owner: machine.Owner{User: u.Name}, Mode: 0o600,
	}
	return Case{
		Name: "user-" + name, Reason: reason, Documents: []document.Document{doc(u), doc(owned)},
		Files: map[string][]byte{owned.Path: []byte(u.Name)},
	}
}

func userCases() []Case {
	withComment := func(name, reason, login, comment string) Case {
		return user(name, reason, machine.User{Name: login, Comment: comment})
	}
	return []Case{
		user("yes", "an incumbent makes it true", machine.User{Name: "yes"}),
		user("no", "false to YAML 1.1", machine.User{Name: "no"}),
		user("null", "null", machine.User{Name: "null"}),
		user("on", "true to YAML 1.1", machine.User{Name: "on"}),
		user("y", "true to some readers", machine.User{Name: "y"}),
		user("default", "cloud-init's word for the image's own user", machine.User{Name: "default2"}),
		user("dots", "a dot in a name", machine.User{Name: "a.b"}),
		user("dash", "a dash in a name", machine.User{Name: "a-b"}),
		user("underscore", "a leading underscore", machine.User{Name: "_svc"}),
		user("long", "32 characters", machine.User{Name: repeat("u", 32)}),
		withComment("gecos-hash", "a comment to YAML", "gecos1", "Foo #1"),
		withComment("gecos-quote", "quotes", "gecos2", `O'Neil "Jr"`),
		withComment("gecos-unicode", "beyond ASCII", "gecos3", "Jürgen Groß"),
		withComment("gecos-jinja", "a template", "gecos4", "{{ x }} {% y %}"),
		withComment("gecos-comma", "several fields", "gecos5", "Name,Room,Phone"),
		withComment("gecos-yes", "a boolean", "gecos6", "yes"),
		user("hash", "dollars in a hash", machine.User{
			Name: "hashed", PasswordHash: secret.FromString(userPassword),
			Unlocked: true,
		}),
		user("keys", "quotes and options in a key", machine.User{Name: "keyed", SSHAuthorizedKeys: []string{
			`command="echo \"hi\" # $x",no-pty ssh-ed25519 ` +
				`AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw it's me`,
		}}),
		user("shell", "a shell of its own", machine.User{Name: "shelled", Shell: "/bin/sh", Home: "/home/other place"}),
	}
}

func groupCases() []Case {
	group := func(name, reason, group string) Case {
		owned := machine.File{
			Path: Dir + "/group/" + group, Content: document.Text(group),
			Owner: machine.Owner{Group: group},
		}
		return Case{
			Name: "group-" + name, Reason: reason, Documents: []document.Document{doc(machine.Group{Name: group}), doc(owned)},
			Files: map[string][]byte{owned.Path: []byte(group)},
		}
	}
	return []Case{
		group("off", "false to YAML 1.1", "off"),
		group("true", "a boolean", "true"),
		group("dash", "a dash", "g-1"),
	}
}

func commandCases() []Case {
	return []Case{
		command("plain", "a word", "printf %s a", "a"),
		command("single-quote", "ends a word", `printf %s "it's"`, "it's"),
		command("double-quote", "ends a string", `printf %s 'say "hi"'`, `say "hi"`),
		command("backslash", "an escape", `printf %s 'a\nb\\c'`, `a\nb\\c`),
		command("percent", "systemd's specifier", "printf '%s%%' 100", "100%"),
		command("dollar", "expanded once, on the machine", `x=1; printf %s "$x$$" | tr -d 0-9; printf %s "$x"`, "1"),
		command("backtick", "a command", "printf %s `printf x`", "x"),
		command("jinja", "a template", "printf %s '{{ x }}{% y %}'", "{{ x }}{% y %}"),
		command("yaml", "a mapping", "printf %s 'a: b # c'", "a: b # c"),
		command("dash", "a list item", "printf %s '- a'", "- a"),
		command("multi-line", "several lines", "a=1\nb=2\n\nprintf %s \"$a\n$b\"", "1\n2"),
		command("crlf", "a carriage return in a word", "printf %s 'a\r'", "a\r"),
		command("heredoc", "a here-document", "cat <<EOF\n'a' \"b\" $((1+1))\nEOF", "'a' \"b\" 2\n"),
		command("heredoc-tabs", "tabs kept", "cat <<'E'\n\ta\nE", "\ta\n"),
		command("function", "braces", "f() { printf %s \"$1\"; }\nf x", "x"),
		command("subshell", "parentheses", "(cd /; printf %s \"$PWD\")", "/"),
		command("comment", "a comment at the end", "printf %s a # b", "a"),
		command("semicolons", "several commands", "printf a; printf b;", "ab"),
		command("and-or", "a list", "false || printf a && printf b", "ab"),
		command("pipe", "a pipe", "printf 'b\na\n' | sort | tr -d '\n'", "ab"),
		command("unicode", "beyond ASCII", "printf %s 'Grüße 日本'", "Grüße 日本"),
		command("tab", "tabs", "printf %s 'a\tb'", "a\tb"),
		command("exit", "leaves its own shell alone", "printf a; exit 0; printf b", "a"),
		command("set-e", "options stay inside", "set -e; set -u; printf a", "a"),
		command("trap", "a trap stays inside", "trap 'printf b' EXIT; printf a", "ab"),
		command("cd", "a directory stays inside", "cd /tmp; printf %s \"$PWD\"", "/tmp"),
		command("unset", "variables of ours do not leak in", `printf %s "${1-none}${D-}${P-}"`, "none"),
		command("long", "longer than a systemd line", "printf %s "+repeat("x", 5000), repeat("x", 5000)),
		command("kubeadm-words", "words that test beds rewrite", "printf %s 'kubeadm join --config x'",
			"kubeadm join --config x"),
		command("closing", "looks like the end of a guard", `printf %s "');exit 1;('"`, `');exit 1;('`),
	}
}

// unit is a case of one unit file that must arrive as it is.
func unit(name, reason, unitName, text string) Case {
	return Case{
		Name: "unit-" + name, Reason: reason, Documents: []document.Document{doc(machine.Unit{
			Name:    unitName,
			Content: document.Text(text),
		})},
		Files: map[string][]byte{"/etc/systemd/system/" + unitName: []byte(text)},
	}
}

func unitCases() []Case {
	oneshot := "[Unit]\nDescription=%s\n[Service]\nType=oneshot\nExecStart=/bin/true\n"
	text := func(description string) string { return sprintf(oneshot, description) }
	return []Case{
		unit("percent", "a specifier is the unit's own", "hostile-percent.service", text("%n 100%%")),
		unit("quotes", "quotes", "hostile-quotes.service", text(`it's "quoted"`)),
		unit("unicode", "beyond ASCII", "hostile-unicode.service", text("Grüße")),
		unit("jinja", "a template", "hostile-jinja.service", text("{{ x }}")),
		unit("comment", "comments", "hostile-comment.service", "# c\n; d\n"+text("x")),
		unit("continuation", "a continued line", "hostile-cont.service",
			"[Service]\nType=oneshot\nExecStart=/bin/echo a \\\n  b\n"),
		unit("instance", "a template unit", "hostile@.service", text("%i")),
		unit("escaped", "an escaped name", `hostile-a\x2db.service`, text("x")),
		unit("no-newline", "no final newline", "hostile-nonl.service", "[Service]\nType=oneshot\nExecStart=/bin/true"),
		unit("dollar", "a variable is the unit's own", "hostile-dollar.service",
			"[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo $$ ${X}'\n"),
		{
			Name: "unit-drop-in", Reason: "a drop-in for a unit of the image",
			Documents: []document.Document{doc(machine.Unit{Name: "hostile-other.service", DropIns: []machine.DropIn{
				{Name: "10-a b.conf", Content: document.Text("[Service]\nEnvironment=\"X=a b %% $\"\n")},
			}})},
			Files: map[string][]byte{"/etc/systemd/system/hostile-other.service.d/10-a b.conf": []byte(
				"[Service]\nEnvironment=\"X=a b %% $\"\n")},
		},
		{
			Name: "unit-drop-in-plain", Reason: "quotes and specifiers in a drop-in",
			Documents: []document.Document{doc(machine.Unit{Name: "hostile-more.service", DropIns: []machine.DropIn{
				{Name: "10-a.conf", Content: document.Text("[Service]\nEnvironment=\"X=a b %% $\"\n")},
			}})},
			Files: map[string][]byte{"/etc/systemd/system/hostile-more.service.d/10-a.conf": []byte(
				"[Service]\nEnvironment=\"X=a b %% $\"\n")},
		},
	}
}
