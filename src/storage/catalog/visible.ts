/** The organization whose catalogue is searched, and the part of it. */
export interface SearchScope {
  readonly organizationKey: number;
  /** Null: every shop of the organization. */
  readonly shopKeys: readonly number[] | null;
  readonly productsOnly: boolean;
}

/** A generation of a shop that is not visible yet. */
export interface ShownAhead {
  readonly shopKey: number;
  readonly generation: number;
}

/**
 * SQL condition on `documents d`: the document is visible at its shop's committed generation. With
 * `ahead`: as if that shop showed that generation.
 */
export function visibleDocuments(
  scope: SearchScope,
  ahead: ShownAhead | null = null,
): {
  join: string;
  where: string;
  args: (string | number)[];
} {
  const shown = ahead === null ? 's.generation' : 'iif(s.key = ?, ?, s.generation)';
  const shownArgs = ahead === null ? [] : [ahead.shopKey, ahead.generation];
  const conditions = [
    'd.organization_key = ?',
    `d.first_generation <= ${shown}`,
    `(d.last_generation IS NULL OR d.last_generation >= ${shown})`,
  ];
  const args: (string | number)[] = [scope.organizationKey, ...shownArgs, ...shownArgs];
  if (scope.shopKeys !== null) {
    conditions.push('d.shop_key IN (SELECT value FROM json_each(?))');
    args.push(JSON.stringify(scope.shopKeys));
  }
  if (scope.productsOnly) conditions.push("d.type = 'product'");
  return { join: 'JOIN shops s ON s.key = d.shop_key', where: conditions.join(' AND '), args };
}
