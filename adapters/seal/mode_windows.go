package seal

// onUnix says that a file's mode tells who reads it; here its folder's access list does.
const onUnix = false
