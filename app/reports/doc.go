// Package reports takes what machines report of their bootstrap, and judges what it means for who waits for them.
package reports
