package linuxcmd

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"time"
)

// The limits of a download. A connection of 128 kbit/s is fast enough.
const (
	// DownloadTimeout is the timeout for all attempts together.
	DownloadTimeout = 4 * time.Hour
	// DownloadWindow is the period in which a server must send an average of DownloadRate bytes per second.
	DownloadWindow = time.Minute
	DownloadRate   = 16 << 10
	// DownloadRetries is the number of attempts after the first.
	DownloadRetries = 5
)

// temporarySuffix is the suffix of temporary files. maxName is the maximum length of a file name in bytes.
const (
	temporarySuffix = ".machineadm-new"
	maxName         = 255
)

// Temporary returns the path of an incomplete file. Its name begins with a dot, so that programs that read all files of
// a directory ignore it, as kubelet does for static pods. The name is constant, so that the next run replaces the
// remainder after a power cut.
func Temporary(at string) string {
	dir, base := path.Split(at)
	if len(base)+len(temporarySuffix)+1 > maxName {
		sum := sha256.Sum256([]byte(base))
		base = hex.EncodeToString(sum[:])
	}
	return dir + "." + base + temporarySuffix
}
