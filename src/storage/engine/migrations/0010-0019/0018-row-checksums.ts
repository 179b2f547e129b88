/**
 * CRC-32 of the rows of catalogues, which finds flipped bits. A row has one from the first examination
 * after it was written until it changes: only a flip changes a row and keeps its checksum.
 */
export const rowChecksums = `
CREATE TABLE row_checksums (
  kind TEXT NOT NULL CHECK (kind IN ('item', 'document', 'vector')),
  key INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
${['UPDATE', 'DELETE']
  .map(
    (event) => `
CREATE TRIGGER items_lose_their_checksum_${event.toLowerCase()} AFTER ${event} ON items
BEGIN DELETE FROM row_checksums WHERE kind = 'item' AND key = old.key; END;
CREATE TRIGGER documents_lose_their_checksum_${event.toLowerCase()} AFTER ${event} ON documents
BEGIN DELETE FROM row_checksums WHERE kind IN ('document', 'vector') AND key = old.key; END;`,
  )
  .join('')}
`;
