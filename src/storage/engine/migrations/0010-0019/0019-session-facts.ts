/** What a session has agreed on, and how many sessions without a key come from one place. */
export const sessionFacts = `
-- The protocol's revision; null before initialize.
ALTER TABLE mcp_sessions ADD COLUMN revision TEXT;
-- The client's address, of sessions without a key and for a day only; else empty.
ALTER TABLE mcp_sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
`;
