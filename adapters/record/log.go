package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/machineadm/machineadm/domain/secret"
)

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

func (l *Log) open() (err error) {
	if err := makeAll(filepath.Dir(l.path), publicDir); err != nil {
		return err
	}
	if err := restrictAccess(l.path); err != nil {
		return err
	}
	l.file, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, private)
	return err
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
