/** Whose catalogue is searched, and which part of it. */
export interface SearchScope {
  readonly organizationKey: number;
  /** Null: every shop of the organization. */
  readonly shopKeys: readonly number[] | null;
  readonly productsOnly: boolean;
}

/** SQL that keeps of `documents d` what a searcher sees now: the shops' committed generations, nothing staged. */
export function visibleDocuments(scope: SearchScope): {
  join: string;
  where: string;
  args: (string | number)[];
} {
  const conditions = [
    'd.organization_key = ?',
    'd.first_generation <= s.generation',
    '(d.last_generation IS NULL OR d.last_generation >= s.generation)',
  ];
  const args: (string | number)[] = [scope.organizationKey];
  if (scope.shopKeys !== null) {
    conditions.push('d.shop_key IN (SELECT value FROM json_each(?))');
    args.push(JSON.stringify(scope.shopKeys));
  }
  if (scope.productsOnly) conditions.push("d.type = 'product'");
  return { join: 'JOIN shops s ON s.key = d.shop_key', where: conditions.join(' AND '), args };
}
