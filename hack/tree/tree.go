// Package tree lists the files of the source tree.
package tree

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Files returns the sorted paths of the regular files in the folder that git tracks or would add. Ignored files, such
// as those of a running demo, are not in the list. A path begins with the folder.
func Files(ctx context.Context, folder string) ([]string, error) {
	list, err := exec.CommandContext(ctx, "git", "-C", folder, "ls-files", "-z", "--cached", "--others",
		"--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("list the files that git tracks in %s: %w", folder, err)
	}
	var files []string
	for path := range strings.SplitSeq(string(list), "\x00") {
		path = filepath.Join(folder, path)
		// A tracked file may have been removed.
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
