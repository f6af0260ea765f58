// Package snapshots takes snapshots of the etcd of control planes, encrypts and stores them, and deletes the oldest
// ones. What is stored determines what is to be done: it remembers nothing.
package snapshots
