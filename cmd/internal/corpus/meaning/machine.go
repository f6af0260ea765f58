// Package meaning compares what a machine does with the userdata of two providers.
package meaning

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Phase is the time at which commands run.
type Phase string

// The phases.
const (
	Boot Phase = "boot"
	Pre  Phase = "pre"
	Post Phase = "post"
)

// Machine is the meaning of userdata.
type Machine struct {
	// Values are settings by their places, such as files[/etc/motd].content, users[ops].shell and
	// kubeadm.ClusterConfiguration.apiServer.extraArgs[v].
	Values map[string]string `json:"values"`
	// Commands are those of the user in their order.
	Commands map[Phase][]string `json:"commands"`
	// Added are the places of files and units that come from other settings, such as those of the time servers.
	Added map[string]bool `json:"added"`
}

// New returns a machine without settings.
func New() Machine {
	return Machine{Values: map[string]string{}, Commands: map[Phase][]string{}, Added: map[string]bool{}}
}

// set sets a value that is not empty.
func (m Machine) set(place, value string) {
	if value != "" {
		m.Values[place] = value
	}
}

// File is a file of a machine.
type File struct {
	Path, Content, Mode, Owner string
	Append                     bool
}

// AddFile adds a file. Further content of a file has a place of its own.
func (m Machine) AddFile(f File) {
	if drive.MatchString(f.Path) {
		f.Path = strings.ReplaceAll(f.Path, `\`, "/")
	}
	place := "files[" + f.Path + "]"
	for n := 2; f.Append && m.Values[place+".content"] != ""; n++ {
		place = fmt.Sprintf("files[%s#%d]", f.Path, n)
	}
	m.Values[place+".content"] = f.Content
	m.Values[place+".mode"] = mode(f.Mode)
	m.Values[place+".owner"] = owner(f.Owner)
	if f.Append {
		m.Values[place+".append"] = "true"
	}
}

// drive matches the begin of a path of Windows, which may have slashes of both kinds.
var drive = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// mode returns an octal number without leading zeros. A file without a mode has that of cloud-init and Ignition.
func mode(text string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0o"), 8, 32)
	switch {
	case text == "" || n == 0:
		return "644"
	case err != nil:
		return text
	}
	return strconv.FormatUint(n, 8)
}

// owner returns USER:GROUP. The owner of a file without one is root.
func owner(text string) string {
	user, group, _ := strings.Cut(strings.TrimSpace(text), ":")
	if user == "" {
		user = "root"
	}
	if group == "" {
		group = "root"
	}
	return user + ":" + group
}

// AddTree adds the leaves of a tree of JSON. The elements of a list are named by their fields name or key if they have
// one, because the order of such lists has no meaning.
func (m Machine) AddTree(place string, tree any) {
	switch v := tree.(type) {
	case nil:
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			m.AddTree(place+"."+key, v[key])
		}
	case []any:
		m.addList(place, v)
	case string:
		m.Values[place] = duration(v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = fmt.Append(nil, v)
		}
		m.Values[place] = string(text)
	}
}

// duration returns a duration in seconds, so that 1m0s and 60s are the same. Other text is returned as it is.
func duration(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 {
		return text
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

func (m Machine) addList(place string, list []any) {
	seen := map[string]int{}
	if len(list) == 0 {
		m.Values[place] = "[]"
	}
	for i, element := range list {
		name := strconv.Itoa(i)
		if fields, ok := element.(map[string]any); ok {
			if len(fields) == 0 {
				m.Values[place+"["+name+"]"] = "{}"
			}
			for _, key := range []string{"name", "key", "path", "device"} {
				if text, ok := fields[key].(string); ok {
					name = text
					break
				}
			}
		}
		if seen[name]++; seen[name] > 1 {
			name += "#" + strconv.Itoa(seen[name])
		}
		m.AddTree(place+"["+name+"]", element)
	}
}

// AddMissing adds the values of another machine whose places the machine does not have, as added ones.
func (m Machine) AddMissing(other Machine) {
	for place, value := range other.Values {
		if _, found := m.Values[place]; !found {
			m.Values[place], m.Added[place] = value, true
		}
	}
}
