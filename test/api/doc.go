// Package api has no code: its tests hold our custom resource definitions against a real API server.
package api
