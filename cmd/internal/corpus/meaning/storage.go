package meaning

import (
	"regexp"
	"strings"
)

// alias matches a name of cloud-init for the temporary disk of Azure, with a partition.
var alias = regexp.MustCompile(`^ephemeral0(?:\.(\d+))?$`)

// resource is the link of Azure's images to the temporary disk.
const resource = "/dev/disk/cloud/azure_resource"

// Device returns the path of a device of cloud-init.
func Device(name string) string {
	if at := alias.FindStringSubmatch(name); at != nil {
		return Partition(resource, at[1])
	}
	if strings.HasPrefix(name, "/dev/") || strings.Contains(name, "=") || name == "" {
		return name
	}
	return "/dev/" + name
}

// Partition returns the path of a partition of a device, or the device itself without a number.
func Partition(device, number string) string {
	device = Device(device)
	if number == "" || strings.Trim(number, "0123456789") != "" || strings.Contains(device, "=") {
		return device
	}
	switch last := device[len(device)-1]; {
	case strings.HasPrefix(device, "/dev/disk/"):
		return device + "-part" + number
	case last >= '0' && last <= '9':
		return device + "p" + number
	default:
		return device + number
	}
}

// AddMount adds a mount with the six fields of fstab(5). Empty fields have the defaults of cloud-init.
func (m Machine) AddMount(fields []string) {
	place := "mounts[" + fields[1] + "]"
	source := fields[0]
	if !strings.Contains(source, "=") {
		source = Device(source)
	}
	m.set(place+".source", source)
	m.set(place+".type", strings.TrimSpace(fields[2]))
	m.set(place+".options", fields[3])
	m.set(place+".dump", fields[4])
	m.set(place+".pass", fields[5])
}

// addFields adds the fields with their names here. A field that is false is one that is not set.
func (m Machine) addFields(place string, fields map[string]any, names map[string]string) {
	for field, name := range names {
		if value := fields[field]; value != false {
			m.AddTree(place+"."+name, value)
		}
	}
}
