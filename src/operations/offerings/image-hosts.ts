import { findImages } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** Offerings examined before each yield to the event loop: a few milliseconds. */
const PAGE = 2000;

/** Most origins kept for an organization: hosts put them into a header. */
const ORIGINS_MAX = 50;

/** A change of the catalogue is looked at this long after the last look, because stock changes all the time. */
const LOOK_EVERY_MS = 60_000;

/** Organizations in memory; the one that was looked at first makes room. */
const KEPT_MAX = 1000;

interface Look {
  readonly indexVersion: number;
  readonly atMs: number;
  readonly origins: Promise<readonly string[]>;
}

/** The origins of the organizations' images, variants included. */
export class ImageHosts {
  readonly #services: Pick<BaseServices, 'db' | 'platform' | 'directory'>;
  readonly #looks = new Map<number, Look>();

  constructor(services: Pick<BaseServices, 'db' | 'platform' | 'directory'>) {
    this.#services = services;
  }

  /** Most frequent first, at most 50. At most a minute older than the catalogue. */
  find(organizationKey: number): Promise<readonly string[]> {
    const { directory, platform } = this.#services;
    const indexVersion = directory.indexVersion(organizationKey);
    const atMs = platform.monotonicMs();
    const known = this.#looks.get(organizationKey);
    if (known?.indexVersion === indexVersion || (known && atMs - known.atMs < LOOK_EVERY_MS))
      return known.origins;
    const origins = this.#look(organizationKey);
    this.#looks.delete(organizationKey);
    this.#looks.set(organizationKey, { indexVersion, atMs, origins });
    if (this.#looks.size > KEPT_MAX) this.#looks.delete(this.#looks.keys().next().value!);
    origins.catch(() => this.#looks.delete(organizationKey));
    return origins;
  }

  async #look(organizationKey: number): Promise<readonly string[]> {
    const { db, platform } = this.#services;
    const counts = new Map<string, number>();
    for (let after = 0; ; ) {
      const page = await findImages(db, organizationKey, { after, limit: PAGE });
      for (const { images } of page) for (const origin of originsOf(images)) add(counts, origin);
      if (page.length < PAGE) break;
      after = page.at(-1)!.key;
      await platform.yield();
    }
    return [...counts]
      .sort(
        ([left, leftCount], [right, rightCount]) =>
          rightCount - leftCount || (left < right ? -1 : 1),
      )
      .slice(0, ORIGINS_MAX)
      .map(([origin]) => origin);
  }
}

function originsOf(images: readonly string[]): Set<string> {
  return new Set(
    images.filter((image) => URL.canParse(image)).map((image) => new URL(image).origin),
  );
}

function add(counts: Map<string, number>, origin: string): void {
  counts.set(origin, (counts.get(origin) ?? 0) + 1);
}
