package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/ports"
)

// is reports whether the server's response has one of the codes.
func is(err error, codes ...string) bool {
	var answer smithy.APIError
	return errors.As(err, &answer) && slices.Contains(codes, answer.ErrorCode())
}

// The returned error does not contain the request, its signature or the server's message. The reason why a server
// cannot be reached is only logged: errors are shown in conditions, and a user who may create storages could scan the
// network with it.
func (s *Storage) wrapError(ctx context.Context, what string, err error) error {
	var (
		answer   smithy.APIError
		response *awshttp.ResponseError
		request  *url.Error
	)
	status := 0
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	switch {
	case err == nil:
		return nil
	case status == http.StatusForbidden || status == http.StatusUnauthorized || is(err, codeNoUser):
		return fmt.Errorf("%s: %w (%s)", what, ports.ErrStorageDenied, code(err))
	case is(err, codeNoKey, codeNotFound):
		return fmt.Errorf("%s: %w", what, ports.ErrNoObject)
	case errors.As(err, &answer):
		return fmt.Errorf("%s: the server answers %s", what, code(err))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errAnswerTooLarge),
		errors.As(err, &request):
	default:
		return fmt.Errorf("%s: the request cannot be made", what)
	}
	if s.options.Log != nil {
		s.options.Log.InfoContext(ctx, "Cannot reach a storage", "bucket", s.options.Bucket, "endpoint", s.options.Endpoint,
			"cause", cause(err))
	}
	return fmt.Errorf("%s: the server cannot be reached", what)
}

// cause returns why a server could not be reached, for the log.
func cause(err error) error {
	if errors.Is(err, errAnswerTooLarge) {
		return errAnswerTooLarge
	}
	return httpclient.Cause(err)
}

// code returns the response's code if S3 defines it.
func code(err error) string {
	var answer smithy.APIError
	if errors.As(err, &answer) {
		if known, is := knownCode(answer.ErrorCode()); is {
			return known
		}
	}
	return "an error code that S3 does not define"
}
