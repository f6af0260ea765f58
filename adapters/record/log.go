package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/machineadm/machineadm/domain/secret"
)

// errForeign means that another user replaced the log while the agent opened it.
var errForeign = errors.New("it is not a regular file of this user with one name; another user replaced it")

// longestLine is how much of a line a log waits for, in bytes.
const longestLine = 64 << 10

// Log appends the output of programs to a file, without secrets. The first line creates the file, so that commands that
// only read create none. It is safe for concurrent use.
type Log struct {
	path     string
	mu       sync.Mutex
	file     *os.File
	redactor secret.Redactor
	// rest is the beginning of a line whose end was not printed yet.
	rest []byte
}

// NewLog returns the log at the path.
func NewLog(path string) *Log { return &Log{path: path} }

// AddRedactor adds secrets that are removed from later output.
func (l *Log) AddRedactor(r secret.Redactor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.redactor = r
}

// Write buffers incomplete lines, so that a secret that arrives in two parts is removed.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	end := bytes.LastIndexByte(l.rest, '\n') + 1
	if end == 0 && len(l.rest) > longestLine {
		end = len(l.rest)
	}
	return len(p), l.put(end)
}

// put writes the first bytes of the rest.
func (l *Log) put(n int) error {
	if n == 0 {
		return nil
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	_, err := l.file.WriteString(l.redactor.Clean(string(l.rest[:n])))
	l.rest = append(l.rest[:0], l.rest[n:]...)
	return err
}

// open opens the file. On some distributions, the group of syslog can write to /var/log. So open follows no link, and
// replaces what others may have created at the path.
func (l *Log) open() error {
	if err := makeAll(filepath.Dir(l.path), publicDir); err != nil {
		return err
	}
	if err := removeForeign(l.path); err != nil {
		return err
	}
	if err := restrictAccess(l.path); err != nil {
		return err
	}
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|openFlags, private)
	if err != nil {
		return err
	}
	// The file may have been replaced meanwhile.
	info, err := file.Stat()
	if err == nil && !ownFile(info) {
		err = errForeign
	}
	if err != nil {
		return errors.Join(fmt.Errorf("open %s: %w", l.path, err), file.Close())
	}
	l.file = file
	return nil
}

// removeForeign removes what is at the path, unless it is a regular file of this user without other names.
func removeForeign(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || ownFile(info) {
		return err
	}
	return remove(path)
}

// Close writes the buffered text and closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.put(len(l.rest))
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
		l.file = nil
	}
	return err
}
