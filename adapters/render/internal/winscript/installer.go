package winscript

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
)

// Pack returns the program as base64 of gzip.
func Pack(program []byte) (string, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(program); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// Installer returns a script that installs the program and registers it to run as SYSTEM at each start of Windows.
// packed is a PowerShell expression for the result of Pack. The script then runs the last lines. A failure of any of
// this is recorded.
func Installer(packed, last string) string {
	return windowscmd.Settings() + windowscmd.Files() + windowscmd.Task() + script.Strip(install) +
		"Initialize-State\ntry {\n" +
		"Install-Program " + packed + "\n" + last + "}\ncatch {\nStop-Installation \"$_\"\n}\n"
}
