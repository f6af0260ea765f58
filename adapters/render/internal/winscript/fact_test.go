package winscript

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestFactsHaveTheCharactersOfTheDomain compares the rule of ConvertTo-Fact with facts.IsValue: no PowerShell runs
// here.
func TestFactsHaveTheCharactersOfTheDomain(t *testing.T) {
	if !strings.Contains(steps, `-cnotmatch '\A(?!-)[`+facts.ValueCharacters+`]{1,1024}\z'`) || facts.MaxValue != 1024 {
		t.Error("ConvertTo-Fact accepts other values than facts.IsValue")
	}
}

// TestNetworkMayNotBeConfigured checks that a program which starts with Windows waits for the network: a download is
// repeated after the codes of curl for names and servers that it cannot reach, and an address is awaited. curl of
// Windows also refuses certificates whose revocation it cannot check, such as those of a private authority.
func TestNetworkMayNotBeConfigured(t *testing.T) {
	for _, want := range []string{
		"'--ssl-no-revoke'", "if (@(5, 6, 7) -notcontains $LASTEXITCODE) {\nbreak",
		"-DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue", "{ $_.RouteMetric + $_.InterfaceMetric }",
	} {
		if !strings.Contains(Options{}.prologue(), want) {
			t.Errorf("the program does not contain %s", want)
		}
	}
}

// TestFactsOfMetadataServices renders a provider ID: the metadata service provides its facts, or they are refused.
func TestFactsOfMetadataServices(t *testing.T) {
	const ec2, oci = "/latest/meta-data/", "/opc/v2/instance/"
	for _, c := range []struct {
		service facts.Service
		fact    document.Fact
		call    string
	}{
		{facts.ServiceEC2, document.FactInstanceID, "(Get-Metadata 'instanceID' 'EC2' '" + ec2 + "instance-id')"},
		{facts.ServiceEC2, document.FactZone, "(Get-Metadata 'zone' 'EC2' '" + ec2 + "placement/availability-zone')"},
		{facts.ServiceEC2, document.FactRegion, "(Get-Metadata 'region' 'EC2' '" + ec2 + "placement/region')"},
		{facts.ServiceEC2, document.FactHostname, "(Get-Metadata 'hostname' 'EC2' '" + ec2 + "local-hostname')"},
		{facts.ServiceEC2, document.FactPrivateIPv4, "(Get-Fact 'privateIPv4')"},
		{facts.ServiceEC2, document.FactPublicIPv4, ""},
		{facts.ServiceOCI, document.FactInstanceID, "(Get-Metadata 'instanceID' 'OCI' '" + oci + "id')"},
		{facts.ServiceOCI, document.FactHostname, "(Get-Fact 'hostname')"},
		{facts.ServiceOCI, document.FactZone, ""},
		{facts.ServiceNone, document.FactInstanceID, ""},
	} {
		step := plan.SourcedStep{
			Step: plan.Step{Phase: document.PhaseFile, Do: action.WriteFile{File: machine.File{
				Path: `C:\a`, Content: document.FromFact(c.fact),
			}}},
			Source: document.Source{Path: "doc"},
		}
		program, findings := Program([]plan.SourcedStep{step}, Options{Metadata: c.service})
		want := "{ Write-File 'C:\\a' $false @(" + c.call + ") }"
		refusal := "error: doc: the machine's " + string(c.fact) + " is not known"
		switch {
		case c.call == "" && !strings.Contains(findings.String(), refusal):
			t.Errorf("%s of %s: got %v", c.fact, c.service, findings)
		case c.call != "" && (len(findings) > 0 || !strings.Contains(string(program), want)):
			t.Errorf("%s of %s: got %v and no %s", c.fact, c.service, findings, want)
		}
	}
}
