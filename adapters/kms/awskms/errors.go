package awskms

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/ports"
)

// codePattern is what the service's codes look like (AWS Key Management Service API Reference, Common Errors).
var codePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.]{0,63}$`)

// explain returns an error with only the service's code, by which it distinguishes refusals from temporary failures.
// The service's message contains accounts, roles and requests. Conditions and records that all users of a machine can
// read contain the error, and a text that differs between attempts would make the controller retry immediately.
func explain(what string, err error) error {
	var apiErr smithy.APIError
	if !errors.As(err, &apiErr) {
		return fmt.Errorf("%w: %s: %w", ports.ErrKeysUnavailable, what, cause(err))
	}
	if apiErr.ErrorFault() == smithy.FaultServer || isTemporary(err) {
		return fmt.Errorf("%w: %s: %s", ports.ErrKeysUnavailable, what, code(apiErr))
	}
	return fmt.Errorf("%w: %s: %s", ports.ErrKeyRefused, what, code(apiErr))
}

func code(apiErr smithy.APIError) string {
	if !codePattern.MatchString(apiErr.ErrorCode()) {
		return "it gives no code"
	}
	return apiErr.ErrorCode()
}

// isTemporary reports whether the service is too busy or not ready.
func isTemporary(err error) bool {
	var limit *types.LimitExceededException
	var busy *types.KeyUnavailableException
	var slow *types.DependencyTimeoutException
	var apiErr smithy.APIError
	return errors.As(err, &limit) || errors.As(err, &busy) || errors.As(err, &slow) ||
		errors.As(err, &apiErr) && strings.HasPrefix(apiErr.ErrorCode(), "Throttling")
}

// cause returns why there is no answer. Only errors of the connection are shown: others contain text of the service.
func cause(err error) error {
	var (
		request  *url.Error
		network  *net.OpError
		response *smithyhttp.ResponseError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.As(err, &request),
		errors.As(err, &network):
		return httpclient.Cause(err)
	case errors.As(err, &response):
		return fmt.Errorf("the service answers with the status %d", response.HTTPStatusCode())
	default:
		return errors.New("the request cannot be made")
	}
}

// withoutCredentials returns why there are no credentials for a request.
func withoutCredentials(err error) error {
	var apiErr smithy.APIError
	if errors.As(err, &apiErr) {
		return fmt.Errorf("%w: no credentials: %s", ports.ErrKeysUnavailable, code(apiErr))
	}
	return fmt.Errorf("%w: no credentials: %w", ports.ErrKeysUnavailable, cause(err))
}
