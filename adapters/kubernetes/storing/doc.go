// Package storing serves deposits: by the storage contract (docs/storage-contract.md) it has a storage keep what
// machines fetch, and deletes it when the deposit goes. Deposits serves the storage resources of one kind, whatever
// kind that is; Buckets looks after those in buckets.
package storing
