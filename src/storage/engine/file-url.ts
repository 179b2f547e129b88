/** The URL by which libSQL opens a file, with special characters in the path escaped. */
export function fileUrl(path: string): string {
  return `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
