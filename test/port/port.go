// Package port reserves ports for servers that tests start.
package port

import (
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// Reserve returns a loopback address with a port that is free, and that the kernel gives to no other socket while this
// process runs, except to one that asks for it by its number.
//
// It keeps a socket that is bound and does not listen. The kernel permits another socket at the same address if both
// have SO_REUSEADDR, which Go sets for each listener (socket(7)).
func Reserve() (string, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", fmt.Errorf("reserve a port: %w", err)
	}
	number, err := bind(fd)
	if err != nil {
		_ = syscall.Close(fd)
		return "", fmt.Errorf("reserve a port: %w", err)
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(number)), nil
}

func bind(fd int) (int, error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, err
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	address, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	bound, ok := address.(*syscall.SockaddrInet4)
	if !ok {
		return 0, fmt.Errorf("the socket has the address %v", address)
	}
	return bound.Port, nil
}
