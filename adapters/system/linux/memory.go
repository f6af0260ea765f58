//go:build linux

package linux

import (
	"errors"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// memory caches the output of read-only programs while one operation is processed. Capture, diff and apply run the same
// programs, and starting a program is slow compared to the agent's own work.
type memory struct {
	mutex sync.Mutex
	// about is the current operation and stage its latest stage. Without an operation nothing is cached.
	about string
	stage stage
	// change increases with each change of the machine, so that output from before a change is not cached after it.
	change int
	known  map[string]reply
}

type reply struct {
	output []byte
	err    error
}

// stage is a stage of an operation. The stages of one operation follow each other without a pause.
type stage int

const (
	comparing stage = iota + 1
	capturing
	applying
)

// enter starts a stage of an operation. It clears the cache unless the stage follows an earlier one of the same
// operation.
func (m *memory) enter(s stage, about string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.about != about || s <= m.stage {
		m.clear()
	}
	m.about, m.stage = about, s
}

// forget clears the cache after a change of the machine.
func (m *memory) forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.clear()
}

func (m *memory) clear() {
	m.change++
	m.known = map[string]reply{}
}

// ask returns the cached output or calls ask. Errors are cached only if the program exited by itself.
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
