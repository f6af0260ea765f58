// Package windows applies operations to a Windows machine: files on the system drive, downloads, PowerShell commands,
// accounts, services, the settings of the host and domains. Operations on packages and disks are not supported; their
// errors name an alternative.
//
// It accesses only files directly and starts programs through a Runner, so that its tests run on every operating
// system.
package windows
