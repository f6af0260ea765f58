package secret_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/secret"
)

const canary = "canary7q9zk2xw5v"

// holder has a secret in every place where a printer may look.
type holder struct {
	Value   secret.Value
	Pointer *secret.Value
	List    []secret.Value
	Map     map[string]secret.Value
	Any     any
}

func held() holder {
	v := secret.FromString(canary)
	return holder{Value: v, Pointer: &v, List: []secret.Value{v}, Map: map[string]secret.Value{"k": v}, Any: v}
}

// leaks reports whether the text holds the canary, also as one of the encodings that a verb may choose.
func leaks(text string) bool {
	lower := strings.ToLower(text)
	for _, form := range []string{
		canary, fmt.Sprintf("%x", canary), fmt.Sprintf("% x", canary),
		strings.Trim(fmt.Sprint([]byte(canary)), "[]"),
	} {
		if strings.Contains(lower, form) {
			return true
		}
	}
	return false
}

func TestLeaksKnowsTheForms(t *testing.T) {
	for _, verb := range []string{"%s", "%x", "%X", "% x", "%v", "%d"} {
		if !leaks(fmt.Sprintf(verb, []byte(canary))) {
			t.Errorf("%s of clear bytes is not seen", verb)
		}
	}
}

func TestNoVerbPrintsTheBytes(t *testing.T) {
	verbs := []string{
		"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%b", "%o", "%O", "%c", "%U", "%t", "%p",
		"%T", "%e", "%08.3f", "%-20s", "%!",
	}
	for _, verb := range verbs {
		for _, value := range []any{secret.FromString(canary), held(), []holder{held()}} {
			if text := fmt.Sprintf(verb, value); leaks(text) {
				t.Errorf("%s of %T shows %s", verb, value, text)
			}
		}
	}
	if text := fmt.Sprint(held(), held().Pointer); leaks(text) || !strings.Contains(text, secret.Redacted) {
		t.Errorf("printed %s", text)
	}
	if err := fmt.Errorf("no: %w, %v", fmt.Errorf("with %v", secret.FromString(canary)), held()); leaks(err.Error()) {
		t.Errorf("the error is %v", err)
	}
}

func TestNoLoggerWritesTheBytes(t *testing.T) {
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var b bytes.Buffer
		log := slog.New(handler(&b))
		log.Info("hello", "value", secret.FromString(canary), "held", held(),
			slog.Group("group", "value", secret.FromString(canary)))
		if leaks(b.String()) || !strings.Contains(b.String(), secret.Redacted) {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}

func TestNoEncoderWritesTheBytes(t *testing.T) {
	encoders := map[string]func(any) ([]byte, error){"json": json.Marshal, "yaml": yaml.Marshal}
	for name, encode := range encoders {
		text, err := encode(held())
		if err != nil || leaks(string(text)) || !strings.Contains(string(text), secret.Redacted) {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
	text, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"x"`
		V       secret.Value
	}{V: secret.FromString(canary)})
	if err != nil || leaks(string(text)) {
		t.Errorf("xml: %s %v", text, err)
	}
}

func TestRevealReturnsTheBytes(t *testing.T) {
	given := []byte(canary)
	v := secret.New(given)
	given[0] = 'X'
	if string(v.Reveal()) != canary || v.Len() != len(canary) || v.IsZero() {
		t.Errorf("the value changed with the bytes that it was made of, or lost some: %d", v.Len())
	}
	if string(secret.FromString(canary).Reveal()) != canary {
		t.Error("FromString holds something else")
	}
}

func TestEmptyValueShowsThatItIsEmpty(t *testing.T) {
	var v secret.Value
	if v.String() != "" || !v.IsZero() || v.Len() != 0 || len(v.Reveal()) != 0 || fmt.Sprint(v) != "" {
		t.Errorf("the zero value shows %q", v)
	}
	if !secret.New(nil).IsZero() || !secret.FromString("").IsZero() {
		t.Error("a value of nothing is not empty")
	}
}
