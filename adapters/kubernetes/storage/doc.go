// Package storage stores what machines fetch, by the storage contract (docs/storage-contract.md).
//
// Requests implements ports.StorageRequests: it writes the Secrets that request storage. Reconciler serves the requests
// for one kind of storage resource, and BucketReconciler maintains the storage resources for buckets. EndpointStorage
// keeps objects in Secrets, for the controller's own endpoint.
package storage
