package codec

// Values lets tests walk through all kinds.
var Values = values
