package record

import "io/fs"

// openFlags is empty: only SYSTEM and the administrators can write to the directory of the log.
const openFlags = 0

// ownFile reports whether the file is a regular file.
func ownFile(info fs.FileInfo) bool { return info.Mode().IsRegular() }
