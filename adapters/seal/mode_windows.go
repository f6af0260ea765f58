package seal

// onUnix reports whether a file's mode determines who can read it; on Windows its folder's access control list does.
const onUnix = false
