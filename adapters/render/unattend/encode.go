package unattend

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"strings"
	"unicode/utf16"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/render/internal/winscript"
	"github.com/machineadm/machineadm/domain/machine"
)

// The namespaces of an answer file, and the one of the element that is ours.
const (
	namespace    = "urn:schemas-microsoft-com:unattend"
	wcmNamespace = "http://schemas.microsoft.com/WMIConfig/2002/State"
	ownNamespace = "urn:machineadm:unattend:1"
)

// command starts the installer. Setup caches the answer file in this place.
const command = `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command "$x=[xml]::new();` +
	`$x.Load('C:\Windows\Panther\unattend.xml');iex $x.unattend.Machineadm.Installer"`

// node is an XML element.
type node struct {
	name  string
	attrs []xml.Attr
	text  string
	below []node
}

func text(name, value string) node { return node{name: name, text: value} }

func parent(name string, below ...node) node { return node{name: name, below: below} }

// item is an element of a list.
func item(name string, below ...node) node {
	return node{name: name, below: below, attrs: []xml.Attr{attr("wcm:action", "add")}}
}

func attr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

// optional appends the element if it has a text, since none may be empty.
func optional(nodes []node, name, value string) []node {
	if value == "" {
		return nodes
	}
	return append(nodes, text(name, value))
}

// encode writes the answer file.
func (f *file) encode(program []byte, architecture string) ([]byte, error) {
	packed, err := winscript.Pack(program)
	if err != nil {
		return nil, err
	}
	of := func(name string, below []node) node { return component(name, architecture, below) }
	first := []node{of("Microsoft-Windows-Deployment", []node{installation()})}
	if names := f.names(); len(names) > 0 {
		first = append(first, of("Microsoft-Windows-Shell-Setup", names))
	}
	if f.join != nil {
		first = append(first, of("Microsoft-Windows-UnattendedJoin", []node{identification(*f.join)}))
	}
	var last []node
	if languages := f.languages(); len(languages) > 0 {
		last = append(last, of("Microsoft-Windows-International-Core", languages))
	}
	last = append(last, of("Microsoft-Windows-Shell-Setup", f.experience()))
	own := parent("Machineadm", text("Installer", winscript.Installer("$x.unattend.Machineadm.Program", "exit 0\n")),
		text("Program", packed))
	own.attrs = []xml.Attr{attr("xmlns", ownNamespace)}
	root := parent("unattend", settings("specialize", first), settings("oobeSystem", last), own)
	root.attrs = []xml.Attr{attr("xmlns", namespace), attr("xmlns:wcm", wcmNamespace)}
	return marshal(root)
}

func settings(pass string, components []node) node {
	return node{name: "settings", attrs: []xml.Attr{attr("pass", pass)}, below: components}
}

func component(name, architecture string, below []node) node {
	return node{name: "component", below: below, attrs: []xml.Attr{
		attr("name", name), attr("processorArchitecture", architecture), attr("publicKeyToken", "31bf3856ad364e35"),
		attr("language", "neutral"), attr("versionScope", "nonSxS"),
	}}
}

func installation() node {
	return parent("RunSynchronous", item("RunSynchronousCommand",
		text("Description", "install the bootstrap program"), text("Order", "1"), text("Path", command),
		text("WillReboot", "Never")))
}

func (f *file) names() []node {
	name := f.host.Hostname
	if f.host.RandomHostname {
		name = "*"
	}
	return optional(optional(nil, "ComputerName", name), "TimeZone", f.host.TimeZone)
}

func (f *file) languages() []node {
	nodes := optional(nil, "InputLocale", f.host.Keyboard)
	nodes = optional(nodes, "SystemLocale", f.host.Locale)
	nodes = optional(nodes, "UILanguage", f.host.UILanguage)
	return optional(nodes, "UserLocale", f.host.Locale)
}

// identification renders the credentials of the domain join.
func identification(j machine.DomainJoin) node {
	if data := j.OfflineData(); data != "" {
		return parent("Identification", parent("Provisioning", text("AccountData", data)))
	}
	domain, user := j.Domain, j.Username
	if before, after, qualified := strings.Cut(user, `\`); qualified {
		domain, user = before, after
	}
	if strings.Contains(user, "@") {
		domain = ""
	}
	credentials := optional(nil, "Domain", domain)
	credentials = append(credentials, text("Password", string(j.Password.Reveal())), text("Username", user))
	nodes := []node{parent("Credentials", credentials...), text("JoinDomain", j.Domain)}
	return parent("Identification", optional(nodes, "MachineObjectOU", j.OrganizationalUnit)...)
}

// experience answers the questions of Windows Setup, and creates the accounts.
func (f *file) experience() []node {
	nodes := []node{parent("OOBE", text("HideEULAPage", "true"), text("HideLocalAccountScreen", "true"),
		text("ProtectYourPC", "3"))}
	var accounts []node
	if f.administrator != nil {
		accounts = append(accounts, password("AdministratorPassword", *f.administrator))
	}
	if local := f.localAccounts(); len(local) > 0 {
		accounts = append(accounts, parent("LocalAccounts", local...))
	}
	if len(accounts) > 0 {
		nodes = append(nodes, parent("UserAccounts", accounts...))
	}
	return nodes
}

func (f *file) localAccounts() []node {
	var accounts []node
	for _, u := range f.accounts {
		group := "Users"
		if windowscmd.IsAdministrator(u) {
			group = administrators
		}
		fields := optional([]node{password("Password", u)}, "DisplayName", u.Comment)
		accounts = append(accounts, item("LocalAccount", append(fields, text("Group", group), text("Name", u.Name))...))
	}
	return accounts
}

// password encodes a password as Windows System Image Manager does to hide sensitive data: base64 of UTF-16 of the
// password and the element's name. It hides nothing, but carries any character.
func password(element string, u machine.User) node {
	var b []byte
	for _, unit := range utf16.Encode([]rune(string(u.Password.Reveal()) + element)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return parent(element, text("Value", base64.StdEncoding.EncodeToString(b)), text("PlainText", "false"))
}

func marshal(root node) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := root.encode(e); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (n node) encode(e *xml.Encoder) error {
	start := xml.StartElement{Name: xml.Name{Local: n.name}, Attr: n.attrs}
	if err := e.EncodeToken(start); err != nil {
		return err
	}
	if n.text != "" {
		if err := e.EncodeToken(xml.CharData(n.text)); err != nil {
			return err
		}
	}
	for _, below := range n.below {
		if err := below.encode(e); err != nil {
			return err
		}
	}
	return e.EncodeToken(start.End())
}
