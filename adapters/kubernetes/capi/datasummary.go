package capi

import (
	"encoding/json"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

const (
	// maxSummary is the largest annotation in bytes that is read.
	maxSummary = 4096
	// maxSummaryText is the largest text of the status of a config that the API server accepts.
	maxSummaryText = 64
)

// summaryForm is the JSON in SummaryAnnotation. clusterctl move and backups carry it along with the Secret, so that the
// status of the config can be rebuilt without reading the data.
type summaryForm struct {
	Format        string `json:"format,omitempty"`
	FormatVersion string `json:"formatVersion,omitempty"`
	Envelope      string `json:"envelope,omitempty"`
	Bytes         int64  `json:"bytes,omitempty"`
	Warnings      int32  `json:"warnings,omitempty"`
	Source        string `json:"source,omitempty"`
	Version       string `json:"version,omitempty"`
	Agent         string `json:"agent,omitempty"`
}

// setSummary sets the annotation, unless the summary is zero.
func setSummary(a map[string]string, s ports.DataSummary) {
	if s == (ports.DataSummary{}) {
		return
	}
	text, err := json.Marshal(summaryForm{
		string(s.Format), s.FormatVersion, s.Envelope, s.Bytes, s.Warnings, s.Source, s.Version, s.Agent,
	})
	if err == nil {
		a[SummaryAnnotation] = string(text)
	}
}

// readSummary returns the summary in the annotation. It is zero if the annotation is missing, if the API server would
// refuse its values in the status of a config, or if they contain other characters than names have. A user who can
// write the Secret can change its data, too, so the rest is reported as it is.
func readSummary(a map[string]string) ports.DataSummary {
	var s summaryForm
	text := a[SummaryAnnotation]
	if len(text) > maxSummary || json.Unmarshal([]byte(text), &s) != nil || s.Bytes < 0 || s.Warnings < 0 ||
		!isName(s.Format) || !isName(s.FormatVersion) || !isName(s.Envelope) {
		return ports.DataSummary{}
	}
	return ports.DataSummary{
		Format: delivery.Format(s.Format), FormatVersion: s.FormatVersion, Envelope: s.Envelope, Bytes: s.Bytes,
		Warnings: s.Warnings, Source: s.Source, Version: s.Version, Agent: s.Agent,
	}
}

// isName reports whether a text is short and contains only letters, digits, dots, dashes and plus signs: tables and
// terminals show it.
func isName(text string) bool {
	const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+"
	return len(text) <= maxSummaryText &&
		!strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(characters, r) })
}
