package s3

import "slices"

// The error codes with special handling.
const (
	codePrecondition   = "PreconditionFailed"
	codeConflict       = "ConditionalRequestConflict"
	codeNotImplemented = "NotImplemented"
	codeNoKey          = "NoSuchKey"
	// codeNotFound replaces NoSuchKey in responses without a body.
	codeNotFound = "NotFound"
	// codeNoUser is versitygw's code for InvalidAccessKeyId.
	codeNoUser = "XAdminUserNotFound"
)

// knownCode returns the code if S3 defines it (Amazon S3 API Reference, Error responses, and S3's codes for KMS keys),
// and false otherwise. Responses of other servers must not be shown to the tenant.
func knownCode(code string) (string, bool) {
	known := []string{
		codePrecondition, codeConflict, codeNotImplemented, codeNoKey, codeNotFound, codeNoUser,
		"AccessDenied", "AccountProblem", "AllAccessDisabled", "AuthorizationHeaderMalformed",
		"AuthorizationQueryParametersError",
		"BadDigest", "BadRequest", "Forbidden", "BucketNotEmpty", "CredentialsNotSupported", "EntityTooLarge",
		"EntityTooSmall", "ExpiredToken",
		"IllegalLocationConstraintException", "IncompleteBody", "InternalError", "InvalidAccessKeyId", "InvalidArgument",
		"InvalidBucketName", "InvalidBucketState", "InvalidDigest", "InvalidEncryptionAlgorithmError", "InvalidObjectState",
		"InvalidPayer", "InvalidRequest", "InvalidSecurity", "InvalidTag", "InvalidToken", "InvalidURI",
		"KMS.DisabledException", "KMS.InvalidKeyUsageException", "KMS.KMSInvalidStateException", "KMS.NotFoundException",
		"KeyTooLongError", "MalformedXML", "MaxMessageLengthExceeded", "MetadataTooLarge", "MethodNotAllowed",
		"MissingContentLength",
		"MissingSecurityHeader", "MovedPermanently", "NoSuchBucket", "NoSuchVersion", "NotSignedUp", "OperationAborted",
		"PermanentRedirect",
		"QuotaExceeded", "Redirect", "RequestExpired", "RequestTimeTooSkewed", "RequestTimeout",
		"ServerSideEncryptionConfigurationNotFoundError", "ServiceUnavailable", "SignatureDoesNotMatch", "SlowDown",
		"TemporaryRedirect",
		"TokenRefreshRequired", "TooManyBuckets", "UnexpectedContent", "XAmzContentChecksumMismatch",
		"XAmzContentSHA256Mismatch",
	}
	i := slices.Index(known, code)
	if i < 0 {
		return "", false
	}
	return known[i], true
}
