package main

import (
	"os"
	"syscall"
)

// service reports whether systemd started this process as a service.
func service() bool { return os.Getenv("INVOCATION_ID") != "" }

// console tells whoever looks at the machine's screen. A console that takes nothing holds nobody up, and is no failure.
func console(line string) {
	f, err := os.OpenFile("/dev/console", os.O_WRONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteString(line + "\r\n")
	_ = f.Close()
}
