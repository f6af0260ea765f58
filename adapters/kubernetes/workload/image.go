package workload

import (
	"fmt"
	"regexp"
	"strings"
)

// notInTag matches the characters that a tag must not contain. kubeadm replaces them by underscores, such as the plus
// of a version with build metadata.
var notInTag = regexp.MustCompile(`[^-a-zA-Z0-9_.]`)

// image is the reference of a container image.
type image struct{ repository, name, tag string }

// parseImage splits a reference. It is an error if the reference has no repository or tag, or pins a digest.
func parseImage(reference string) (image, error) {
	slash, colon := strings.LastIndexByte(reference, '/'), strings.LastIndexByte(reference, ':')
	if strings.ContainsRune(reference, '@') || slash < 0 || colon < slash {
		return image{}, fmt.Errorf("the image %q is not managed; use an image with a tag, or set the add-on to Unmanaged",
			bounded(reference))
	}
	return image{reference[:slash], reference[slash+1 : colon], reference[colon+1:]}, nil
}

// with returns the image with another repository and tag, as far as they are given.
func (i image) with(repository, tag string) image {
	if repository != "" {
		i.repository = strings.TrimSuffix(repository, "/")
	}
	if tag != "" {
		i.tag = notInTag.ReplaceAllString(tag, "_")
	}
	return i
}

// String returns the reference.
func (i image) String() string { return i.repository + "/" + i.name + ":" + i.tag }
