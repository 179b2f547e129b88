/** How well an item answers a question: 3 exactly, 2 acceptably; 1 is related, 0 is irrelevant. */
export type Grade = 0 | 1 | 2 | 3;

export function isGrade(value: unknown): value is Grade {
  return value === 0 || value === 1 || value === 2 || value === 3;
}
