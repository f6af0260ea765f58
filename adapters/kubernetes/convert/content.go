package convert

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"unicode"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// bytesFrom is the value of a field. secret reports whether it came from a Secret.
type bytesFrom struct {
	bytes  []byte
	secret bool
}

// text returns the value of the field at p.name, or of the source at p.nameFrom. It returns false if the source is
// invalid or the referenced key is missing.
func (c *converter) text(p report.Path, name, literal string, from *v1alpha1.ContentSource) (bytesFrom, bool) {
	if from == nil {
		return bytesFrom{bytes: []byte(literal)}, true
	}
	at := p.Field(name + "From")
	if !c.stopped() {
		c.mapPath(p.Field(name), at)
	}
	if literal != "" {
		c.found(report.Errorf(at, "%s is given as well", name).To("remove one of them"))
	}
	switch {
	case from.Secret != nil && from.ConfigMap != nil:
		c.found(report.Errorf(at, "a Secret and a ConfigMap are given").To("remove one of them"))
	case from.Secret != nil:
		b, ok := c.resolve(at.Field("secret"), "Secret", *from.Secret)
		return bytesFrom{bytes: b, secret: true}, ok
	case from.ConfigMap != nil:
		b, ok := c.resolve(at.Field("configMap"), "ConfigMap", *from.ConfigMap)
		return bytesFrom{bytes: b}, ok
	default:
		c.found(report.Errorf(at, "neither a Secret nor a ConfigMap is given"))
	}
	return bytesFrom{}, false
}

// isOptional reports whether the object of the source can be missing.
func isOptional(from *v1alpha1.ContentSource) bool {
	return from != nil && (from.Secret != nil && from.Secret.Optional || from.ConfigMap != nil && from.ConfigMap.Optional)
}

// secretFrom returns the value of the source at p, or empty if from is nil.
func (c *converter) secretFrom(p report.Path, from *v1alpha1.SecretSource) secret.Value {
	if from == nil {
		return secret.Value{}
	}
	b, _ := c.resolve(p.Field("secret"), "Secret", from.Secret)
	return secret.New(b)
}

// content returns the value of a field of type Content, or nil if it is not set.
func (c *converter) content(p report.Path, from *v1alpha1.Content) []byte {
	if from == nil {
		return nil
	}
	got, _ := c.text(p, "content", from.Content, from.ContentFrom)
	return got.bytes
}

func (c *converter) resolve(p report.Path, kind string, key v1alpha1.KeyReference) ([]byte, bool) {
	ref := Reference{Kind: kind, Name: key.Name, Key: key.Key}
	if c.stopped() {
		return nil, false
	}
	b, err := c.resolver.Resolve(c.ctx, ref)
	switch {
	case err == nil:
		return b, c.spend(p, len(b))
	case !errors.Is(err, ErrNotFound):
		c.err = fmt.Errorf("%s: look up %s: %w", p, ref, err)
	case key.Optional:
		c.found(report.Infof(p, "%s does not exist and is optional, so it is left out", ref))
	case !c.missed[ref]:
		c.missed[ref] = true
		remedy := "create it, or set optional: true"
		if errors.Is(err, ErrNoObject) {
			remedy += "; " + MoveRemedy
		}
		c.Missing = append(c.Missing, report.Errorf(p, "%s does not exist", ref).To("%s", remedy))
	}
	return nil, false
}

// decode decodes the bytes.
func (c *converter) decode(p report.Path, e v1alpha1.Encoding, b []byte) []byte {
	switch e {
	case "":
		return b
	case v1alpha1.EncodingBase64:
		return c.base64(p, b)
	case v1alpha1.EncodingGzip:
		return c.gunzip(p, b)
	case v1alpha1.EncodingGzipBase64:
		return c.gunzip(p, c.base64(p, b))
	default:
		c.found(report.Errorf(p, "%q is not an encoding", e).
			To("use %s, %s or %s, or none", v1alpha1.EncodingBase64, v1alpha1.EncodingGzip, v1alpha1.EncodingGzipBase64))
		return nil
	}
}

func (c *converter) base64(p report.Path, b []byte) []byte {
	packed := bytes.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, b)
	if !c.spend(p, base64.StdEncoding.DecodedLen(len(packed))) {
		return nil
	}
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(packed)))
	n, err := base64.StdEncoding.Strict().Decode(decoded, packed)
	if err != nil {
		c.found(report.Errorf(p, "the content is not base64").To("encode it with: base64 FILE"))
		return nil
	}
	return decoded[:n]
}

// gunzip decompresses twice. The first pass only counts bytes, so that no memory is allocated beyond the budget.
func (c *converter) gunzip(p report.Path, b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	if err := c.gzip.Reset(bytes.NewReader(b)); err != nil {
		c.found(report.Errorf(p, "the content is not gzip").To("encode it with: gzip -c FILE | base64"))
		return nil
	}
	size, err := io.Copy(io.Discard, io.LimitReader(&c.gzip, c.budget.Left(budget.Content)+1))
	if err != nil {
		// The cost is the decompressed size.
		_ = c.spend(p, int(size))
		c.found(report.Errorf(p, "the content is damaged gzip").To("encode it with: gzip -c FILE | base64"))
		return nil
	}
	if !c.spend(p, int(size)) {
		return nil
	}
	decoded := make([]byte, size)
	err = c.gzip.Reset(bytes.NewReader(b))
	if err == nil {
		_, err = io.ReadFull(&c.gzip, decoded)
	}
	if err != nil {
		c.err = fmt.Errorf("%s: decompress: %w", p, err)
	}
	return decoded
}

// tree returns structured configuration, or nil if raw is empty.
func (c *converter) tree(p report.Path, raw []byte) node.Tree {
	if len(raw) == 0 || c.stopped() {
		return nil
	}
	var exceeded *budget.ExceededError
	switch err := structured.JSON(budget.NewContext(c.ctx, c.budget), raw); {
	case errors.As(err, &exceeded):
		c.exceedBudget(p, err)
		return nil
	case err != nil:
		c.found(structured.Finding(p, "expected an object", err))
		return nil
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		c.found(report.Errorf(p, "expected an object").To("write fields and their values"))
		return nil
	}
	return tree
}
