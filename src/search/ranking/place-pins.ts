/** The place, from 1, on which the shop's owner wants an item. */
export interface PinnedPlace {
  readonly id: string;
  readonly place: number;
}

/**
 * The ranking with the pinned items on their places, and the others in their order around them. Of two
 * items pinned on one place, the first one gets it and the other the next. Pure.
 */
export function placePins<Ranked extends { readonly id: string }>(
  ranked: readonly Ranked[],
  pins: readonly PinnedPlace[],
): readonly Ranked[] {
  if (pins.length === 0) return ranked;
  const order = new Map(pins.toReversed().map((pin, index) => [pin.id, { ...pin, order: -index }]));
  const pinned = ranked
    .flatMap((item) => {
      const pin = order.get(item.id);
      return pin === undefined ? [] : [{ item, pin }];
    })
    .sort((left, right) => left.pin.place - right.pin.place || left.pin.order - right.pin.order);
  const placed = ranked.filter(({ id }) => !order.has(id));
  let next = 0;
  for (const { item, pin } of pinned) {
    next = Math.max(next, pin.place - 1);
    placed.splice(next, 0, item);
    next += 1;
  }
  return placed;
}
