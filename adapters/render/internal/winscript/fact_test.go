package winscript

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/facts"
)

// TestFactsHaveTheCharactersOfTheDomain compares the rule of Get-Fact with facts.IsValue: no PowerShell runs here.
func TestFactsHaveTheCharactersOfTheDomain(t *testing.T) {
	if !strings.Contains(steps, `-cnotmatch '\A(?!-)[`+facts.ValueCharacters+`]{1,1024}\z'`) || facts.MaxValue != 1024 {
		t.Error("Get-Fact accepts other values than facts.IsValue")
	}
}
