// Package windows is a machine of Windows under the agent: files on the system's drive, downloads, and PowerShell.
// Accounts, services and disks are not made operation by operation: what needs them is refused with a word on what to
// use instead.
//
// It asks the operating system for nothing but files, and starts programs through a Runner, so that its tests run
// anywhere.
package windows
