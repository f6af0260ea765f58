package qemu

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
)

// isoBlock is the size of a block of an ISO 9660 image.
const isoBlock = 2048

// isoDescriptor is the block of the volume descriptor; the blocks before it are unused.
const isoDescriptor = 16

// isoFile is a file of an image. The path has no links; Linux reads names in lower case.
type isoFile struct {
	path    string
	content []byte
}

// isoDirectory is a directory of an image, in one block.
type isoDirectory struct {
	path   string
	block  int
	parent int
}

// isoImage returns an ISO 9660 image (ECMA-119) with the label and the files.
func isoImage(label string, files []isoFile) []byte {
	directories := isoDirectories(files)
	// The order is: volume descriptor, its end, path tables in both byte orders, directories, files.
	tables := isoDescriptor + 2
	block := tables + 2
	for i := range directories {
		directories[i].block = block
		block++
	}
	starts := make([]int, len(files))
	for i, f := range files {
		starts[i] = block
		block += (len(f.content) + isoBlock - 1) / isoBlock
	}
	image := make([]byte, block*isoBlock)
	table := isoPathTable(directories, binary.LittleEndian)
	copy(image[tables*isoBlock:], table)
	copy(image[(tables+1)*isoBlock:], isoPathTable(directories, binary.BigEndian))
	writeDescriptor(image[isoDescriptor*isoBlock:], label, block, len(table), tables, directories[0].block)
	copy(image[(isoDescriptor+1)*isoBlock:], "\xffCD001\x01")
	for i, d := range directories {
		content := isoRecord("\x00", d.block, isoBlock, true)
		content = append(content, isoRecord("\x01", directories[d.parent].block, isoBlock, true)...)
		for _, sub := range directories[1:] {
			if sub.parent == i && sub.path != d.path {
				content = append(content, isoRecord(isoName(sub.path), sub.block, isoBlock, true)...)
			}
		}
		for j, f := range files {
			if path.Dir(f.path) == d.path {
				content = append(content, isoRecord(isoName(f.path)+";1", starts[j], len(f.content), false)...)
			}
		}
		copy(image[d.block*isoBlock:], content)
	}
	for i, f := range files {
		copy(image[starts[i]*isoBlock:], f.content)
	}
	return image
}

// isoDirectories returns the directories of the files, each after its parent; the root is the first one.
func isoDirectories(files []isoFile) []isoDirectory {
	paths := []string{"."}
	for _, f := range files {
		for d := path.Dir(f.path); !slices.Contains(paths, d); d = path.Dir(d) {
			paths = append(paths, d)
		}
	}
	slices.SortFunc(paths[1:], func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	directories := make([]isoDirectory, len(paths))
	for i, p := range paths {
		directories[i] = isoDirectory{path: p, parent: slices.Index(paths, path.Dir(p))}
	}
	return directories
}

func isoName(name string) string { return strings.ToUpper(path.Base(name)) }

// isoRecord returns the record of a file or directory (ECMA-119, 9.1).
func isoRecord(name string, block, size int, directory bool) []byte {
	record := make([]byte, 33, 33+len(name)+1)
	record = append(record, name...)
	if len(record)%2 != 0 {
		record = append(record, 0)
	}
	record[0] = byte(len(record))
	bothOrders(record[2:], block)
	bothOrders(record[10:], size)
	// The date is 1970-01-01.
	copy(record[18:], []byte{70, 1, 1})
	if directory {
		record[25] = 2
	}
	record[28], record[31] = 1, 1
	record[32] = byte(len(name))
	return record
}

// bothOrders writes a number of 32 bits in both byte orders.
func bothOrders(b []byte, n int) {
	binary.LittleEndian.PutUint32(b, uint32(n))
	binary.BigEndian.PutUint32(b[4:], uint32(n))
}

// isoPathTable returns a path table (ECMA-119, 9.4).
func isoPathTable(directories []isoDirectory, order binary.AppendByteOrder) []byte {
	var table []byte
	for i, d := range directories {
		name := isoName(d.path)
		if i == 0 {
			name = "\x00"
		}
		table = append(table, byte(len(name)), 0)
		table = order.AppendUint32(table, uint32(d.block))
		table = order.AppendUint16(table, uint16(d.parent+1))
		table = append(table, name...)
		if len(name)%2 != 0 {
			table = append(table, 0)
		}
	}
	return table
}

// writeDescriptor writes the primary volume descriptor (ECMA-119, 8.4).
func writeDescriptor(b []byte, label string, blocks, tableSize, tables, root int) {
	copy(b, "\x01CD001\x01")
	copy(b[8:], bytes.Repeat([]byte(" "), 32))
	copy(b[40:], label+strings.Repeat(" ", 32-len(label)))
	bothOrders(b[80:], blocks)
	copy(b[120:], "\x01\x00\x00\x01\x01\x00\x00\x01\x00\x08\x08\x00")
	bothOrders(b[132:], tableSize)
	binary.LittleEndian.PutUint32(b[140:], uint32(tables))
	binary.BigEndian.PutUint32(b[148:], uint32(tables+1))
	copy(b[156:], isoRecord("\x00", root, isoBlock, true))
	copy(b[190:], bytes.Repeat([]byte(" "), 813-190))
	for offset := 813; offset < 881; offset += 17 {
		copy(b[offset:], "0000000000000000")
	}
	b[881] = 1
}
