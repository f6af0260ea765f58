package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/sys/unix"
)

// row is the state of a machine.
type row struct{ name, data, state, detail string }

// screen prints messages, each with the seconds since the start. On a terminal, a table of the machines follows the
// last message and changes with the machines. Elsewhere, each change of a machine is a line.
type screen struct {
	out   io.Writer
	began time.Time
	// width is that of the terminal; 0 elsewhere.
	width  int
	colors bool
	rows   []row
	// drawn is the number of lines of the table on the terminal.
	drawn int
}

// newScreen returns a screen on a file. The variable NO_COLOR disables colors (no-color.org).
func newScreen(f *os.File) *screen {
	s := &screen{out: f, began: time.Now(), colors: os.Getenv("NO_COLOR") == ""}
	if !isatty.IsTerminal(f.Fd()) || os.Getenv("TERM") == "dumb" {
		return s
	}
	s.width = 80
	if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
		s.width = int(size.Col)
	}
	return s
}

// print prints a message.
func (s *screen) print(format string, args ...any) {
	s.erase()
	fmt.Fprintf(s.out, "%5.1fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
	s.draw()
}

// show replaces the rows.
func (s *screen) show(rows []row) {
	old := s.rows
	if slices.Equal(old, rows) {
		return
	}
	s.rows = rows
	if s.width > 0 {
		s.erase()
		s.draw()
		return
	}
	for _, line := range changes(old, rows) {
		s.print("%s", line)
	}
}

// hide removes the table from the terminal until the next rows.
func (s *screen) hide() {
	s.erase()
	if s.width > 0 {
		s.rows = nil
	}
}

// changes returns a line for each machine that changed its state, appeared or disappeared.
func changes(before, after []row) []string {
	old := map[string]row{}
	for _, r := range before {
		old[r.name] = r
	}
	var lines []string
	for _, r := range after {
		if before := old[r.name]; before.state != r.state || before.detail != r.detail {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s (%s): %s %s", r.name, r.data, r.state, r.detail)))
		}
		delete(old, r.name)
	}
	for _, r := range before {
		if _, gone := old[r.name]; gone {
			lines = append(lines, r.name+": Gone")
		}
	}
	return lines
}

func (s *screen) erase() {
	if s.drawn > 0 {
		// The cursor moves up to the first line of the table, and everything below is erased.
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", s.drawn)
	}
	s.drawn = 0
}

func (s *screen) draw() {
	if s.width == 0 || len(s.rows) == 0 {
		return
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "MACHINE\tDATA\tSTATE\t")
	for _, r := range s.rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.name, r.data, r.state, r.detail)
	}
	_ = table.Flush()
	for i, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		// A line that wraps would not be erased.
		line = line[:min(len(line), s.width-1)]
		if i > 0 {
			line = s.colored(line, s.rows[i-1].state)
		}
		fmt.Fprintln(s.out, line)
		s.drawn++
	}
}

// colored returns the line with the color of the state: green if the machine is ready, red if it failed, and otherwise
// yellow.
func (s *screen) colored(line, state string) string {
	if !s.colors {
		return line
	}
	color := 33
	switch state {
	case stateReady:
		color = 32
	case stateFailed:
		color = 31
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, line)
}

// write prints the output of a command.
func (s *screen) write(output []byte) {
	s.erase()
	_, _ = s.out.Write(output)
	s.draw()
}
