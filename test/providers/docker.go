package providers

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"

	"sigs.k8s.io/yaml"
)

// topLevelKey matches a line that begins a key of cloud-config.
var topLevelKey = regexp.MustCompile(`^[a-zA-Z_]*:`)

// docker splits the text at the lines with keys, and fails for keys that it does not know and for long lines.
func docker(data []byte, _ Machine) (Delivered, error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if key := topLevelKey.FindString(lines.Text()); key != "" && key != "write_files:" && key != "runcmd:" {
			return Delivered{}, fmt.Errorf("the key %s is not JSON", key)
		}
	}
	if err := lines.Err(); err != nil {
		return Delivered{}, err
	}
	var c filesAndCommands
	if err := yaml.Unmarshal(data, &c); err != nil {
		return Delivered{}, err
	}
	return c.delivered(), nil
}
