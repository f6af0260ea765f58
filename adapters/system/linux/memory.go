//go:build linux

package linux

import (
	"errors"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// memory is what programs that change nothing told of the machine while one operation is looked at. Its capture, its
// comparison and its parts ask the same, and a program takes longer to start than all that the agent does in between.
type memory struct {
	mutex sync.Mutex
	// about is the operation, and stage how far it has come; without one nothing is remembered.
	about string
	stage stage
	// change is another number after each change, so that an answer from before it is not remembered after it.
	change int
	known  map[string]reply
}

type reply struct {
	output []byte
	err    error
}

// stage is what is done with an operation. Each follows the one before it at once, if it follows it at all.
type stage int

const (
	comparing stage = iota + 1
	capturing
	applying
)

// enter is called when a stage of an operation begins. Unless it follows an earlier one of the same, what is known may
// be old.
func (m *memory) enter(s stage, about string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.about != about || s <= m.stage {
		m.clear()
	}
	m.about, m.stage = about, s
}

// forget is called when something has changed the machine.
func (m *memory) forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.clear()
}

func (m *memory) clear() {
	m.change++
	m.known = map[string]reply{}
}

// ask returns the answer that is known, or asks. A program that could not run, or was told to end, has not answered.
func (m *memory) ask(question string, ask func() ([]byte, error)) ([]byte, error) {
	m.mutex.Lock()
	known, found := m.known[question]
	change := m.change
	m.mutex.Unlock()
	if found {
		return known.output, known.err
	}
	output, err := ask()
	var failed *ports.CommandError
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.about != "" && m.change == change && (err == nil || errors.As(err, &failed)) {
		m.known[question] = reply{output, err}
	}
	return output, err
}
