package migrate

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// storage converts spec.diskSetup and spec.mounts.
func (s *specs) storage() {
	setup := s.in.get("diskSetup")
	for _, p := range setup.get("partitions").items() {
		s.disk(p)
	}
	copyComments(setup.key, s.out, "machine.disks")
	for _, f := range setup.get("filesystems").items() {
		s.filesystem(f)
	}
	for _, m := range s.in.get("mounts").items() {
		s.mount(m)
	}
}

// device returns the path of a device. ephemeral0 is cloud-init's name for the temporary disk of Azure, for which
// cloud-init's udev rules have links (66-azure-ephemeral.rules in cloud-init 24.1).
func (s *specs) device(in field) string {
	const azure = "/dev/disk/cloud/azure_resource"
	name := in.takeText()
	switch device, partition, dotted := strings.Cut(name, "."); {
	case device == "ephemeral0" && dotted:
		in.add(in, Changed, "%s is the path of %s", azure+"-part"+partition, name)
		return azure + "-part" + partition
	case device == "ephemeral0":
		in.add(in, Changed, "%s is the path of %s", azure, name)
		return azure
	case !strings.HasPrefix(name, "/") && !strings.Contains(name, "=") && name != "" && !strings.HasPrefix(name, "$"):
		return "/dev/" + name
	}
	return name
}

func (s *specs) disk(p field) {
	out := put(mapping(), "device", text(s.device(p.get("device"))))
	if table := p.get("tableType"); table.text() != "" {
		move(table, out, "tableType")
	} else {
		// cc_disk_setup of cloud-init: the default is mbr.
		put(out, "tableType", text("mbr"))
	}
	if p.get("overwrite").is("true") {
		put(out, "wipe", yes())
	}
	p.get("overwrite").take()
	layout := p.get("layout")
	if layout.is("true") && !p.get("diskLayout").exists() {
		put(out, "partitions", list(mapping()))
	}
	layout.take()
	p.get("diskLayout").report(NoCounterpart,
		"sizes in percent cannot be set; write spec.machine.disks[].partitions by hand")
	extend(s.out, "machine.disks", out)
}

func (s *specs) filesystem(f field) {
	device := s.device(f.get("device"))
	partition := f.get("partition")
	switch number := partition.text(); {
	case number == "" || number == "none":
		partition.take()
	case strings.Trim(number, "0123456789") == "":
		partition.take()
		device = partitionOf(device, number)
		partition.add(partition, Changed, "the number is part of the device: %s", device)
	default:
		partition.report(NoCounterpart, "a partition cannot be searched; write its path to spec.machine.filesystems[].device")
	}
	out := put(mapping(), "device", text(device))
	move(f.get("filesystem"), out, "format")
	move(f.get("label"), out, "label")
	s.replace(f, out)
	move(f.get("extraOpts"), out, "options")
	extend(s.out, "machine.filesystems", out)
}

// replace converts overwrite and replaceFS.
func (s *specs) replace(f field, out *node) {
	replaced := f.get("replaceFS")
	if f.get("overwrite").is("true") || replaced.text() != "" {
		put(out, "wipe", yes())
	}
	f.get("overwrite").take()
	if replaced.text() != "" {
		replaced.report(Changed, "wipe replaces this field; a file system of any type is replaced, not only %s",
			replaced.text())
	}
	replaced.take()
}

// partitionOf returns the path of a partition, as udev names it.
func partitionOf(device, number string) string {
	last := device[max(len(device)-1, 0):]
	switch {
	case strings.HasPrefix(device, "/dev/disk/"):
		return device + "-part" + number
	case strings.Contains("0123456789", last):
		return device + "p" + number
	}
	return device + number
}

// mount converts the fields of a line of fstab(5).
func (s *specs) mount(m field) {
	items := m.items()
	if m.node.Kind != yaml.SequenceNode || len(items) < 2 {
		m.report(NoCounterpart, "a mount needs a source and a path; add them to spec.machine.mounts")
		return
	}
	source := s.device(items[0])
	out := put(mapping(), "source", text(source))
	put(out, "path", items[1].take())
	for i, item := range items[2:] {
		value := item.takeText()
		switch i {
		case 0:
			if value != "auto" && value != "" {
				put(out, "type", item.node)
			}
		case 1:
			put(out, "options", texts(strings.Split(value, ",")))
		default:
			if value != "0" {
				item.add(item, NoCounterpart, "%s cannot be set; it is 0", [...]string{"dump", "the order of fsck"}[min(i-2, 1)])
			}
		}
	}
	extend(s.out, "machine.mounts", out)
}

// duration converts a duration to seconds.
func (s *specs) duration(in field, out *node, to string) { duration(in, out, to) }

func duration(in field, out *node, to string) {
	if !in.exists() {
		return
	}
	seconds, err := secondsOf(in.text())
	if err != nil {
		in.report(Decision, "%s; set %s in seconds", err, to)
		return
	}
	in.take()
	set(out, to, integer(seconds))
	in.add(in, Changed, "the duration is now %s", fmt.Sprintf("%s: %d", to, seconds))
}
