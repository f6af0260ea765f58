package ports

import "time"

// Clock returns the time.
type Clock interface{ Now() time.Time }
