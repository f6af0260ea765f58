package migrate

import (
	"fmt"
	"regexp"
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

// temporary matches cloud-init's names of the temporary disks of Azure and of their partitions.
var temporary = regexp.MustCompile(`^ephemeral\d+(\.\d+)?$`)

// device returns the path of a device. cloud-init adds /dev/ to other names.
func (s *specs) device(in field) string {
	name := in.takeText()
	if strings.HasPrefix(name, "/") || strings.ContainsAny(name, "=$") || name == "" || temporary.MatchString(name) {
		return name
	}
	in.add(in, Changed, "the path of the device is /dev/%s", name)
	return "/dev/" + name
}

func (s *specs) disk(p field) {
	out := put(mapping(), "device", text(s.device(p.get("device"))))
	if table := p.get("tableType"); table.text() != "" {
		move(table, out, "tableType")
	} else if !s.isIgnition() {
		// cc_disk_setup of cloud-init: the default is mbr. With Ignition it is gpt.
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
	for _, partition := range p.get("diskLayout").items() {
		extend(out, "partitions", s.partition(partition))
	}
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
	if f.get("overwrite").is("true") {
		put(out, "wipe", yes())
	}
	f.get("overwrite").take()
	move(f.get("replaceFS"), out, "replaceFS")
	move(f.get("extraOpts"), out, "options")
	extend(s.out, "machine.filesystems", out)
}

// partitionTypes are the GUIDs of the types in a KubeadmConfig (gpt.h of util-linux 2.41). Linux is the default.
func partitionTypes() map[string]string {
	const basicData = "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7"
	return map[string]string{
		"Linux": "", "LinuxSwap": "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F",
		"LinuxRAID": "A19D880F-05FC-4D3B-A006-743F0F84911E", "LVM": "E6D6D379-F507-44C2-A23C-238F2A3DF928",
		"Fat32": basicData, "NTFS": basicData,
	}
}

// partition converts an element of diskLayout.
func (s *specs) partition(p field) *node {
	out := mapping()
	move(p.get("percentage"), out, "sizePercent")
	kind := p.get("partitionType")
	guid, known := partitionTypes()[kind.text()]
	switch {
	case guid != "":
		put(out, "typeGUID", text(guid))
		kind.report(Changed, "the type is a GUID here")
	case kind.exists() && !known:
		kind.report(NoCounterpart, "the type %q of a partition does not exist; set typeGUID by hand", kind.text())
	}
	kind.take()
	return out
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
	if s.isIgnition() {
		s.ignitionMount(items)
		return
	}
	source := s.device(items[0])
	out := put(mapping(), "source", text(source))
	put(out, "path", items[1].take())
	s.mountFields(m, items[2:], out)
	extend(s.out, "machine.mounts", out)
}

// mountFields converts the third field and those after it. For an empty or missing field, cloud-init writes its
// default: the options of module cc_mounts contain nofail, and the others are the defaults here.
func (s *specs) mountFields(m field, items []field, out *node) {
	hasOptions := false
	for i, item := range items {
		value := item.takeText()
		switch {
		case i > 3:
			item.report(NoCounterpart, "a mount has six fields; remove the others")
		case value == "":
		case i == 0 && value != "auto":
			put(out, "type", item.node)
		case i == 1:
			hasOptions = true
			put(out, "options", texts(strings.Split(value, ",")))
		case i == 2:
			put(out, "dump", number(value))
		case i == 3:
			put(out, "pass", number(value))
		}
	}
	if !hasOptions {
		put(out, "options", texts([]string{"defaults", "nofail"}))
		m.add(m, Changed, "options is now [defaults, nofail], the default of cloud-init: "+
			"the machine also boots without the device")
	}
}

// ignitionMount converts a mount for Ignition: the label of a file system, the path, and options (cluster-api v1.14.2,
// bootstrap/kubeadm/pkg/ignition/clc).
func (s *specs) ignitionMount(items []field) {
	source := items[0].takeText()
	for _, f := range s.in.get("diskSetup", "filesystems").items() {
		if device := f.get("device").text(); f.get("label").text() == source && device != "" {
			items[0].add(items[0], Changed, "the label is that of %s", device)
			source = device
		}
	}
	out := put(put(mapping(), "source", text(source)), "path", items[1].take())
	for _, option := range items[2:] {
		extend(out, "options", option.take())
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
