// Package windows applies operations to a Windows machine: files on the system drive, downloads, and PowerShell
// commands. Operations on accounts, services and disks are not supported; their errors name an alternative.
//
// It accesses only files directly and starts programs through a Runner, so that its tests run on every operating
// system.
package windows
