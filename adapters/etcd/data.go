package etcd

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
)

// lockTimeout is how long reading the data waits for the member, which locks its data while it runs.
const lockTimeout = 100 * time.Millisecond

// recorded returns the client URLs of all members that the data of the member lists, or nothing while the member runs.
// A member that was removed ends, and its manifest lists only the members from before it joined.
func (s server) recorded() (urls []string, err error) {
	path := filepath.Join(s.data, "member", "snap", "db")
	// Pages of a truncated file are memory that cannot be read.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s is damaged: %v", path, p)
		}
	}()
	// bbolt creates a file that is missing.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.View(func(tx *bbolt.Tx) error {
		members := tx.Bucket([]byte("members"))
		if members == nil {
			return nil
		}
		return members.ForEach(func(_, value []byte) error {
			var m struct{ ClientURLs []string }
			if err := json.Unmarshal(value, &m); err != nil {
				return err
			}
			urls = append(urls, m.ClientURLs...)
			return nil
		})
	})
	return urls, err
}
