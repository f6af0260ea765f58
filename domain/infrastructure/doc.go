// Package infrastructure describes Cluster API's infrastructure providers, as far as bootstrap data is concerned: which
// values of the Secret's "format" key each of them reads, and what it does with all others; how many bytes the platform
// accepts, and how they are counted; and which envelopes the data may have.
//
// Most of them read the key "value" only. Those that also read "format" handle unknown values in different ways, and
// one of them silently creates a machine without userdata. Hence the table.
package infrastructure
