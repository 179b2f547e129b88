export const rollback = `
-- The generation that a rollback brings back; null where there is none.
ALTER TABLE shops ADD COLUMN previous_generation INTEGER;
UPDATE shops SET previous_generation = generation - 1 WHERE generation > 0;

-- What an import made visible; null where it changed nothing, or never came to its end.
ALTER TABLE imports ADD COLUMN generation INTEGER;
ALTER TABLE imports ADD COLUMN rolled_back_at INTEGER;
`;
