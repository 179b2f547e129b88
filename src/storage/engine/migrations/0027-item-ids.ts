/** Ids of items in a table of their own instead of an index, so that an import can write them in order. */
export const itemIds = `
-- An index over random ids costs a page for each row that is staged. These rows are written once all of an
-- import's are staged, ordered by id, before its generation is shown.
CREATE TABLE item_ids (
  shop_key INTEGER NOT NULL,
  id TEXT NOT NULL,
  first_generation INTEGER NOT NULL,
  item_key INTEGER NOT NULL,
  PRIMARY KEY (shop_key, id, first_generation)
) WITHOUT ROWID;
INSERT INTO item_ids (shop_key, id, first_generation, item_key)
  SELECT shop_key, id, first_generation, key FROM items ORDER BY shop_key, id, first_generation;
DROP INDEX items_by_id;
CREATE TRIGGER items_lose_their_id AFTER DELETE ON items
BEGIN
  DELETE FROM item_ids
    WHERE shop_key = old.shop_key AND id = old.id AND first_generation = old.first_generation
      AND item_key = old.key;
END;
`;
