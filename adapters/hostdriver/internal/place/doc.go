// Package place stores the machines that a driver creates. The machine NAME of the namespace NAMESPACE has the
// directory machines/NAMESPACE/NAME below the driver's directory:
//
//	lock         the lock of all changes
//	claim        the ID of the claim
//	ID/started   exists once the machine was started
//	ID/release   exists once the release began, and ID/released is its error
//
// The other files of the directory ID are the driver's. Only root, or the user of the controller, can read them.
package place
