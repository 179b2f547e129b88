/** Untrusted text without the characters that control a terminal, reverse text or hide it. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '�');
}
