/** The address by which libSQL opens a file, whatever characters its path has. */
export function fileUrl(path: string): string {
  return `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
