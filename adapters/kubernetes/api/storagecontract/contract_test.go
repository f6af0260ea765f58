package storagecontract_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
)

func asked() (*corev1.Secret, storagecontract.Request) {
	s := &corev1.Secret{}
	r := storagecontract.Request{
		Storage: storagecontract.Storage{Group: "storage.example", Kind: "Shelf", Name: "top.most"},
		Digest:  strings.Repeat("a", 64),
	}
	r.Write(s, []byte("bytes"))
	return s, r
}

func TestRequestSurvives(t *testing.T) {
	s, r := asked()
	got, err := storagecontract.RequestOf(s)
	if diff := cmp.Diff(r, got); err != nil || diff != "" || string(s.Data["value"]) != "bytes" ||
		s.Type != storagecontract.SecretType {
		t.Error(err, diff, s)
	}
}

func TestNotARequest(t *testing.T) {
	cases := map[string]struct {
		reason string
		spoil  func(*corev1.Secret)
	}{
		"other": {"any Secret", func(s *corev1.Secret) { s.Annotations = nil }},
		"label": {"the label has another kind", func(s *corev1.Secret) { s.Labels[storagecontract.KindLabel] = "Box" }},
		"no group": {
			"a kind has a group",
			func(s *corev1.Secret) { s.Annotations[storagecontract.StorageAnnotation] = "Shelf/a" },
		},
		"no name": {
			"a resource has a name",
			func(s *corev1.Secret) { s.Annotations[storagecontract.StorageAnnotation] = "Shelf.storage.example/" },
		},
		"digest": {
			"it names the bytes",
			func(s *corev1.Secret) { s.Annotations[storagecontract.DigestAnnotation] = "abc" },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, _ := asked()
			tc.spoil(s)
			if _, err := storagecontract.RequestOf(s); !errors.Is(err, storagecontract.ErrNotARequest) {
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}

func TestAnswerSurvives(t *testing.T) {
	s, r := asked()
	storagecontract.SetProblem(s, strings.Repeat("ä", 600))
	if p := storagecontract.Problem(s); len(p) == 0 || len(p) > 512 || strings.ContainsRune(p, '\uFFFD') {
		t.Errorf("problem %q", p)
	}
	if _, answered, err := storagecontract.AnswerOf(s); answered || err != nil {
		t.Error("answered", err)
	}
	want := storagecontract.Answer{
		URL: "https://a/b?c", Headers: map[string]string{"X-A": "b"}, CABundle: []byte("pem"),
		Expires: time.Unix(1_800_000_000, 0).UTC(),
	}
	if err := want.Write(s, r.Digest); err != nil {
		t.Fatal(err)
	}
	got, answered, err := storagecontract.AnswerOf(s)
	if diff := cmp.Diff(want, got); !answered || err != nil || diff != "" || storagecontract.Problem(s) != "" {
		t.Error(answered, err, diff, storagecontract.Problem(s))
	}
	if err := (storagecontract.Answer{URL: "https://a"}).Write(s, r.Digest); err != nil {
		t.Fatal(err)
	}
	if len(s.Data) != 2 || s.Annotations[storagecontract.ExpiresAnnotation] != "" {
		t.Errorf("left over: %v %v", s.Data, s.Annotations)
	}
	r.Digest = strings.Repeat("b", 64)
	r.Write(s, []byte("others"))
	if storagecontract.Answered(s) {
		t.Error("an answer to other bytes counts")
	}
}

func TestUnreadableAnswer(t *testing.T) {
	const canary = "canary7q9zk2xw5v"
	for name, spoil := range map[string]func(*corev1.Secret){
		"headers": func(s *corev1.Secret) { s.Data[storagecontract.HeadersKey] = []byte(`{"a":` + canary) },
		"expires": func(s *corev1.Secret) { s.Annotations[storagecontract.ExpiresAnnotation] = "soon" },
	} {
		t.Run(name, func(t *testing.T) {
			s, r := asked()
			if err := (storagecontract.Answer{URL: "https://a"}).Write(s, r.Digest); err != nil {
				t.Fatal(err)
			}
			spoil(s)
			if _, _, err := storagecontract.AnswerOf(s); err == nil || strings.Contains(err.Error(), canary) {
				t.Errorf("error %v", err)
			}
		})
	}
}
