// Package thread starts programs that die with their starter.
package thread

import "runtime"

// Start calls start on a thread that lasts until the channel is closed. The kernel takes the end of the thread that
// started a program for the end of the starter (PR_SET_PDEATHSIG(2const)), and a test that visits namespaces may end
// the thread that it is on.
func Start(until <-chan struct{}, start func() error) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		started <- start()
		<-until
	}()
	return <-started
}
