//go:build linux && amd64

package agent_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// namings and writings are the system calls by which the agent changes what is at a name, and an open file. It starts
// programs one at a time and waits for them, so none of them runs while the agent makes one of these.
func namings() []uint64 {
	return []uint64{
		syscall.SYS_RENAME, syscall.SYS_RENAMEAT, syscall.SYS_UNLINKAT, syscall.SYS_MKDIRAT, syscall.SYS_SYMLINKAT,
		syscall.SYS_FCHOWNAT,
	}
}

func writings() []uint64 {
	return []uint64{syscall.SYS_FSYNC, syscall.SYS_FTRUNCATE, syscall.SYS_FCHMOD, syscall.SYS_FCHOWN}
}

// traced starts the command, and kills it when it has just made its n-th change; 0 lets it end. It returns how many
// changes it made, and how it ended.
func traced(t *testing.T, cmd *exec.Cmd, n int) (int, syscall.WaitStatus) {
	t.Helper()
	// All requests of a tracer come from one thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr.Ptrace = true
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	// Threads are followed, the programs that the agent starts are not.
	const goodSyscall = 1
	if err := syscall.PtraceSetOptions(pid, goodSyscall|syscall.PTRACE_O_TRACECLONE); err != nil {
		t.Fatal(err)
	}
	return follow(t, pid, n)
}

// follow lets the threads of the process go from one system call to the next.
func follow(t *testing.T, pid, n int) (int, syscall.WaitStatus) {
	t.Helper()
	created, inside, signal, next := 0, map[int]bool{}, 0, pid
	for {
		// A thread that a kill has overtaken is gone.
		if err := syscall.PtraceSyscall(next, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		var err error
		if next, err = syscall.Wait4(-1, &status, syscall.WALL, nil); err != nil {
			t.Fatal(err)
		}
		signal = 0
		switch {
		case (status.Exited() || status.Signaled()) && next == pid:
			return created, status
		case !status.Stopped():
			continue
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			inside[next] = !inside[next]
			if inside[next] || !hasChanged(next) {
				continue
			}
			if created++; created == n {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
		case status.StopSignal() != syscall.SIGTRAP && status.StopSignal() != syscall.SIGSTOP:
			signal = int(status.StopSignal())
		}
	}
}

// hasChanged reports whether the thread, which comes out of a system call, has made a change. Of the workers that need
// one folder each may try to make it, to permit it and to bring it to the disk; only the first makes it. The others'
// calls are no changes, or each run would make another number of them.
func hasChanged(thread int) bool {
	var registers syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(thread, &registers); err != nil || registers.Rax != 0 {
		return false
	}
	if slices.Contains(namings(), registers.Orig_rax) {
		return true
	}
	return slices.Contains(writings(), registers.Orig_rax) && !isDirectory(thread, registers.Rdi)
}

func isDirectory(thread int, descriptor uint64) bool {
	info, err := os.Stat(fmt.Sprintf("/proc/%d/fd/%d", thread, descriptor))
	return err == nil && info.IsDir()
}
