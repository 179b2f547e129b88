import { Breaker } from '../../models/breaker.ts';
import type { PageWriter, ShopSketch } from '../../models/page-writer.ts';
import type { Platform } from '../../platform.ts';

/** The configured page writer behind a breaker, so that pages do not wait for one that keeps failing. */
export class Introductions {
  readonly #platform: Platform;
  readonly #writer: PageWriter;
  readonly #breaker: Breaker;

  constructor({ platform, writer }: { platform: Platform; writer: PageWriter }) {
    this.#platform = platform;
    this.#writer = writer;
    this.#breaker = new Breaker(platform.monotonicMs);
  }

  /** Identifies the writer; an introduction with another tag is out of date. */
  get tag(): string {
    return this.#writer.tag;
  }

  /** Null if no acceptable text arrives in time. Never throws. */
  async write(shop: ShopSketch, signal: AbortSignal): Promise<string | null> {
    const end = this.#breaker.enter();
    if (end === null) return null;
    try {
      const introduction = await this.#writer.write(shop, signal);
      end('answered');
      return introduction;
    } catch (error) {
      end(signal.aborted ? 'abandoned' : 'failed');
      const cause = String(error instanceof Error ? (error.cause ?? error) : error);
      if (!signal.aborted) this.#platform.log('warn', 'writer_failed', { cause });
      return null;
    }
  }
}
