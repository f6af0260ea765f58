// Package infrastructure describes how Cluster API's infrastructure providers handle bootstrap data: which values of
// the Secret's key "format" they support, how they treat other values, the size limit of the platform, and the
// supported envelopes.
//
// Most of them read the key "value" only. Those that also read "format" handle unknown values in different ways, and
// one of them silently creates a machine without userdata.
package infrastructure
