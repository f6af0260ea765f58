package host

import (
	"fmt"
	"os"
)

// trusted reports why a file cannot be started. Below C:\Program Files only administrators write.
func trusted(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a program", path)
	}
	return nil
}
