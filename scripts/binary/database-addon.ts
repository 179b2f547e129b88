/** Path of libSQL's addon inside a binary. The build replaces this module. */
export default '';
