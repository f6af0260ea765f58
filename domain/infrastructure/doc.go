// Package infrastructure holds what is known of Cluster API's infrastructure providers, as far as bootstrap data is
// concerned: which values of the Secret's "format" key each of them reads, and what it does with all others; how many
// bytes the platform takes, and how they are counted; and what may be laid around the data on its way.
//
// Most of them read the key "value" alone. Those that read "format" too do different things with a value that they do
// not know, and one of them makes a machine without userdata and says nothing. Hence the table.
package infrastructure
