/**
 * What makes an import cheaper: the names of an offering come with it, instead of being read from its
 * body as often as there are kinds of them, and so does its availability.
 */
export const imports = `
DROP TRIGGER item_references_follow_insert;

-- Of an offering; null for a context.
ALTER TABLE items ADD COLUMN availability TEXT;
UPDATE items SET availability = body->>'$.availability' WHERE type = 'product';
DROP INDEX items_by_availability;
CREATE INDEX items_by_availability ON items
  (shop_key, availability, first_generation, last_generation) WHERE type = 'product';
`;
