package delivery

import (
	"regexp"
	"slices"
)

// CloudConfig describes the dialect of #cloud-config that reaches a machine. Some infrastructure providers edit the
// document, or read it in place of cloud-init. The zero value is the whole language, unchanged.
type CloudConfig struct {
	// Appendable writes runcmd first and indents lists by two spaces, as Cluster API's kubeadm provider does. Providers
	// that insert items into the text expect this form.
	Appendable bool
	// Minimal writes only write_files and runcmd: files with a path, an owner, permissions and ASCII text, and one command
	// on one line without quotes. The bootstrap program creates disks, accounts and all other files.
	Minimal bool
	// WithoutCloudInit means that the machines may lack cloud-init, so that it provides no facts.
	WithoutCloudInit bool
	// Kept are the only top-level keys that reach the machine, and Lost those that do not. If both are empty, all keys
	// reach it.
	Kept, Lost []string
	// InitFile and JoinFile are paths of files that must exist before the first command of a machine that initializes the
	// cluster, or joins it. They are empty if the provider needs none.
	InitFile, JoinFile string
}

// Passes reports whether the top-level key reaches the machine.
func (c CloudConfig) Passes(key string) bool {
	return (len(c.Kept) == 0 || slices.Contains(c.Kept, key)) && !slices.Contains(c.Lost, key)
}

// Placeholders are regular expressions for text that the infrastructure provider replaces in userdata. Such text must
// not be compressed or encoded.
type Placeholders []string

// Find returns the start and the end of each match, in order, or nil if there is none.
func (p Placeholders) Find(content []byte) [][]int {
	var found [][]int
	for _, pattern := range p {
		found = append(found, regexp.MustCompile(pattern).FindAllIndex(content, -1)...)
	}
	slices.SortFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}
