package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/machineadm/machineadm/adapters/codec/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// mirror copies src into dst, field by field of the same name, whichever of the two is the wire type. The wire types are a
// contract and the domain's are not, so both are written out; that each field has its counterpart is held by a test.
func mirror(dst, src reflect.Value) error {
	if done, err := leaf(dst, src); done {
		return err
	}
	switch {
	case src.Kind() == reflect.Pointer:
		return fromPointer(dst, src)
	case dst.Kind() == reflect.Pointer:
		return toPointer(dst, src)
	case src.Kind() == reflect.Struct && dst.Kind() == reflect.Struct:
		return fields(dst, src)
	case src.Kind() == reflect.Slice && dst.Kind() == reflect.Slice && src.Type().Elem().Kind() != reflect.Uint8:
		return elements(dst, src)
	case src.Kind() == dst.Kind() && src.CanConvert(dst.Type()):
		dst.Set(src.Convert(dst.Type()))
		return nil
	default:
		return fmt.Errorf("no way from %s to %s", src.Type(), dst.Type())
	}
}

func fromPointer(dst, src reflect.Value) error {
	if src.IsNil() {
		dst.SetZero()
		return nil
	}
	if dst.Kind() != reflect.Pointer {
		return mirror(dst, src.Elem())
	}
	dst.Set(reflect.New(dst.Type().Elem()))
	return mirror(dst.Elem(), src.Elem())
}

// toPointer leaves the pointer nil for a zero value: the wire says nothing of what is not set.
func toPointer(dst, src reflect.Value) error {
	if src.IsZero() {
		dst.SetZero()
		return nil
	}
	dst.Set(reflect.New(dst.Type().Elem()))
	return mirror(dst.Elem(), src)
}

func fields(dst, src reflect.Value) error {
	for i := range src.NumField() {
		name := src.Type().Field(i).Name
		to := dst.FieldByName(name)
		if !to.IsValid() {
			return fmt.Errorf("%s has no field %s", dst.Type(), name)
		}
		if err := mirror(to, src.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func elements(dst, src reflect.Value) error {
	if src.Len() == 0 {
		dst.SetZero()
		return nil
	}
	dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
	for i := range src.Len() {
		if err := mirror(dst.Index(i), src.Index(i)); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// leaf copies what has another form on the wire; done reports whether it was such a thing.
func leaf(dst, src reflect.Value) (done bool, err error) {
	switch from := src.Interface().(type) {
	case v1alpha1.Bytes:
		return true, fromBytes(dst, from)
	case document.Content:
		dst.Set(reflect.ValueOf(contentBytes(from)))
	case secret.Value:
		dst.Set(reflect.ValueOf(literal(from.Reveal())))
	case v1alpha1.Phase:
		return true, fromPhase(dst, from)
	case document.Phase:
		dst.Set(reflect.ValueOf(v1alpha1.Phase(from.String())))
	case []byte:
		if dst.Type() != reflect.TypeFor[v1alpha1.Bytes]() {
			return false, nil
		}
		dst.Set(reflect.ValueOf(literal(from)))
	default:
		return false, nil
	}
	return true, nil
}

func literal(b []byte) v1alpha1.Bytes {
	if len(b) == 0 {
		return nil
	}
	return v1alpha1.Bytes{{Literal: b}}
}

func contentBytes(c document.Content) v1alpha1.Bytes {
	var out v1alpha1.Bytes
	for _, f := range c.Fragments() {
		out = append(out, v1alpha1.Part{Literal: f.Literal, Fact: string(f.Fact)})
	}
	return out
}

func fromBytes(dst reflect.Value, b v1alpha1.Bytes) error {
	if dst.Type() == reflect.TypeFor[document.Content]() {
		content, err := content(b)
		dst.Set(reflect.ValueOf(content))
		return err
	}
	var all []byte
	for _, p := range b {
		if p.Fact != "" {
			return errors.New("a fact cannot stand here")
		}
		all = append(all, p.Literal...)
	}
	if dst.Type() == reflect.TypeFor[secret.Value]() {
		dst.Set(reflect.ValueOf(secret.New(all)))
		return nil
	}
	dst.SetBytes(all)
	return nil
}

func content(b v1alpha1.Bytes) (document.Content, error) {
	list := make([]document.Content, len(b))
	for i, p := range b {
		list[i] = document.Literal(p.Literal)
		if p.Fact == "" {
			continue
		}
		if !slices.Contains(document.Facts(), document.Fact(p.Fact)) {
			return document.Content{}, fmt.Errorf("this is no fact; use one of %v", document.Facts())
		}
		list[i] = document.FromFact(document.Fact(p.Fact))
	}
	return document.Join(list...), nil
}

func fromPhase(dst reflect.Value, name v1alpha1.Phase) error {
	for _, p := range document.Phases() {
		if p.String() == string(name) {
			dst.Set(reflect.ValueOf(p))
			return nil
		}
	}
	return fmt.Errorf("this is no phase; use one of %v", document.Phases())
}
