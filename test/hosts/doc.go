// Package hosts provides Linux hosts with real SSH servers for tests. Each host has its own namespaces of processes,
// mounts, networks, UTS and IPC over a shared read-only root of Debian, and restarts like a machine. The tests need
// root.
package hosts
