/** The sets of tools, besides the five, that assistants of an organization are offered: a JSON list. */
export const toolSets = `
ALTER TABLE organizations ADD COLUMN tool_sets TEXT NOT NULL DEFAULT '[]';
`;
