package convert

import (
	"maps"
	"time"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// delivery converts the delivery options. "Auto" and "None" are the API's explicit names for the defaults.
func (c *converter) delivery(s *v1alpha1.DeliverySpec, p report.Path) {
	if s == nil {
		return
	}
	o := &c.Delivery
	if s.Mode != "Native" {
		o.Mode = delivery.Mode(s.Mode)
	}
	if s.Agent != nil {
		o.Agent = c.agent(s.Agent, p.Field("agent"))
	}
	for _, pin := range s.Plugins {
		o.Plugins = append(o.Plugins, delivery.PluginPin{Name: pin.Name, SHA256: pin.SHA256})
	}
	if s.Compression != "Auto" {
		o.Compression = delivery.Compression(s.Compression)
	}
	if s.Encoding != "None" {
		o.Encoding = delivery.Encoding(s.Encoding)
	}
	o.Include = s.Fetch == "Include"
	o.MaxBytes = c.size(p.Field("maxPayloadSize"), s.MaxPayloadSize)
	if s.SecretMetadata != nil {
		o.Metadata = delivery.Metadata{
			Labels: maps.Clone(s.SecretMetadata.Labels), Annotations: maps.Clone(s.SecretMetadata.Annotations),
		}
	}
	if s.Encryption != nil {
		o.Encryption = c.encryption(s.Encryption, p.Field("encryption"))
	}
	for i, part := range s.Parts {
		text, ok := c.text(p.Field("parts").Index(i), "text", part.Text, part.TextFrom)
		if ok {
			o.Parts = append(o.Parts, delivery.Part{Name: part.Name, ContentType: part.ContentType, Text: string(text.bytes)})
		}
	}
}

// size returns a number of bytes; 0 if it is not set or invalid.
func (c *converter) size(p report.Path, s v1alpha1.ByteSize) int64 {
	if s == "" {
		return 0
	}
	n, err := s.Bytes()
	if err != nil || n <= 0 {
		c.found(report.Errorf(p, "%q is not a size", report.Cut(string(s), 32)).To("write a number of bytes, such as 16Ki"))
		return 0
	}
	return n
}

// storageRef converts the reference to the storage for objects that the machine fetches.
func (c *converter) storageRef(s *v1alpha1.StorageReference) {
	if s != nil {
		c.Delivery.Storage = delivery.StorageRef{Group: s.APIGroup, Kind: s.Kind, Name: s.Name}
	}
}

// reporting converts the reporting options.
func (c *converter) reporting(s *v1alpha1.ReportingSpec, p report.Path) {
	if s == nil {
		return
	}
	r := Reporting(s)
	c.Findings = append(c.Findings, r.Check(p)...)
	c.Delivery.Reporting = &r
}

// Reporting converts the reporting options of a config.
func Reporting(s *v1alpha1.ReportingSpec) delivery.Reporting {
	r := delivery.Reporting{Endpoint: s.URL, Authorities: s.CertificateAuthorities, Deadline: delivery.DefaultDeadline}
	if s.DeadlineSeconds != nil {
		r.Deadline = time.Duration(*s.DeadlineSeconds) * time.Second
	}
	return r
}

// agent converts how the agent is provided. It repeats checks of the API server, because machineadmctl converts without
// one.
func (c *converter) agent(s *v1alpha1.DeliveryAgent, p report.Path) delivery.Agent {
	a := delivery.Agent{Path: s.Path}
	if (s.Source == "Fetch") != (s.Fetch != nil) {
		c.found(report.Errorf(p.Field("fetch"), "fetch is for the source Fetch, which needs it").To("give both, or neither"))
	}
	a.Endpoint = s.Source == "Endpoint"
	if s.Source == "Fetch" && s.Fetch != nil {
		a.Fetch = &delivery.AgentFetch{URL: s.Fetch.URL, Version: s.Fetch.Version, SHA256: s.Fetch.SHA256}
		a.Fetch.Release = c.release(s.Fetch.Release, p.Field("fetch").Field("release"))
	}
	return a
}

// encryption converts how the agent's configuration is encrypted.
func (c *converter) encryption(s *v1alpha1.DeliveryEncryption, p report.Path) delivery.Encryption {
	e := delivery.Encryption{
		Provider: s.Provider, Key: s.Key, PassphraseURI: s.PassphraseURI,
		Iterations: int(s.Iterations),
	}
	if s.PassphraseSecretRef != nil {
		held, _ := c.resolve(p.Field("passphraseSecretRef"), "Secret", *s.PassphraseSecretRef)
		e.Passphrase = secret.New(indirect.Passphrase(held))
	}
	return e
}

// TemplateKey is the key of a bootstrap template.
const TemplateKey = "template"

// template reads the bootstrap template.
func (c *converter) template(r *v1alpha1.TemplateReference, p report.Path) {
	if r == nil {
		return
	}
	if r.Kind != "ConfigMap" && r.Kind != "Secret" {
		c.found(report.Errorf(p.Field("kind"), "%q holds no template", r.Kind).To("use ConfigMap or Secret"))
		return
	}
	text, ok := c.resolve(p, r.Kind, v1alpha1.KeyReference{Name: r.Name, Key: TemplateKey})
	if ok {
		c.Delivery.Template = &delivery.Template{Text: string(text), Path: p, Object: r.Kind + " " + r.Name}
	}
}

// release converts the published checksums and signature of the agent. Missing references already have findings.
func (c *converter) release(s *v1alpha1.AgentRelease, p report.Path) *delivery.Release {
	if s == nil {
		return nil
	}
	checksums, _ := c.text(p, "checksums", "", &s.ChecksumsFrom)
	signature, _ := c.text(p, "signature", "", &s.SignatureFrom)
	key, _ := c.text(p, "publicKey", "", &s.PublicKeyFrom)
	return &delivery.Release{File: s.File, Checksums: checksums.bytes, Signature: signature.bytes, PublicKey: key.bytes}
}
